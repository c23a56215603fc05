// Buttons that copy what stands in a field beside them. Without this script the field can be
// selected and copied by hand, and the buttons stay hidden.
(function () {
  "use strict";
  const SAID_MS = 2000;

  const show = (within) => {
    within.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = false; });
  };

  // The clipboard is offered to secure pages alone; elsewhere the old command still works.
  async function copy(field) {
    field.focus();
    field.select();
    if (navigator.clipboard && window.isSecureContext) {
      await navigator.clipboard.writeText(field.value);
    } else if (!document.execCommand("copy")) {
      throw new Error("not copied");
    }
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const label = button.dataset.label || button.textContent;
    button.dataset.label = label;
    try {
      await copy(document.getElementById(button.dataset.copy));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Press Ctrl+C";
    }
    button.focus();
    setTimeout(() => { button.textContent = label; }, SAID_MS);
  });
  document.addEventListener("htmx:afterSettle", (event) => show(event.target));
  show(document);
})();
