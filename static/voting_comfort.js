// What makes long answers easier to compare: scrolling in step, folds that stay as they were left,
// switches that are remembered, and the code that can be copied.
(function () {
  "use strict";
  const store = window.votingDraft;
  const settings = store.settings;
  const all = (selector) => [...document.querySelectorAll(selector)];

  let leader = null;
  let rest = 0;
  document.addEventListener("scroll", (event) => {
    const pane = event.target;
    if (!settings.step || !pane.matches?.(".pane") || (leader && leader !== pane)) return;
    leader = pane;
    clearTimeout(rest);
    rest = setTimeout(() => { leader = null; }, 120);
    const kind = pane.matches(".context") ? ".pane.context" : ".pane:not(.context)";
    const share = pane.scrollTop / Math.max(1, pane.scrollHeight - pane.clientHeight);
    all(kind).filter((other) => other !== pane).forEach((other) => {
      other.scrollTop = share * (other.scrollHeight - other.clientHeight);
    });
  }, true);

  document.addEventListener("toggle", (event) => {
    const name = event.target.dataset?.keep;
    if (!name) return;
    settings.open[name] = event.target.open;
    store.keepSettings();
  }, true);

  document.addEventListener("change", (event) => {
    const setting = event.target.dataset.setting;
    if (!setting) return;
    settings[setting] = event.target.checked;
    store.keepSettings();
  });

  document.addEventListener("click", (event) => {
    const copied = event.target.dataset.copy;
    if (!copied) return;
    const code = document.getElementById(copied);
    code.select();
    navigator.clipboard.writeText(code.value).then(() => { document.getElementById("copied").textContent = "Copied"; });
  });

  document.addEventListener("voting:arrived", () => {
    all("#stage details[data-keep]").forEach((each) => { each.open = settings.open[each.dataset.keep] ?? each.open; });
    all("#stage [data-copy]").forEach((button) => { button.hidden = !navigator.clipboard; });
  });
  all("[data-setting]").forEach((box) => { box.checked = settings[box.dataset.setting]; });
})();
