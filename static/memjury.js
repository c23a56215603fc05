// The page's one script: the theme switch, the charts that Python built, short addresses, the hint
// at wide tables, and the notice that a partial did not come. Everything else is HTML. It runs before the body is drawn, so that a chosen
// theme never flashes.
(function () {
  "use strict";
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try { return localStorage.getItem("theme"); } catch { return null; }
  };
  const store = (theme) => {
    try { localStorage.setItem("theme", theme); } catch { /* private window: not remembered */ }
  };
  const applyTheme = () => { root.dataset.theme = stored() || (dark.matches ? "dark" : "light"); };

  root.classList.add("js");
  applyTheme();

  // A figure names colours as tokens of the style sheet: "--hue-3", or "--hue-3/0.15" with opacity.
  function resolve(value, styles) {
    if (typeof value === "string" && value.startsWith("--")) {
      const [token, opacity] = value.split("/");
      const color = styles.getPropertyValue(token).trim();
      if (!opacity) return color;
      const alpha = Math.round(Number(opacity) * 255).toString(16).padStart(2, "0");
      return color + alpha;
    }
    if (Array.isArray(value)) return value.map((item) => resolve(item, styles));
    if (value && typeof value === "object") {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, resolve(item, styles)])
      );
    }
    return value;
  }

  function draw(box) {
    const source = document.getElementById(box.dataset.figure);
    if (!source || !window.Plotly) return;
    const figure = resolve(JSON.parse(source.textContent), getComputedStyle(root));
    const narrow = box.clientWidth < 560;
    if (narrow && figure.narrow) Object.assign(figure.layout, figure.narrow);
    const config = { responsive: true, displaylogo: false, displayModeBar: false };
    box.querySelector(".waiting")?.remove();
    window.Plotly.react(box, figure.data, figure.layout, config);
  }

  const drawAll = (within) => within.querySelectorAll("[data-figure]").forEach(draw);

  function setTheme(theme) {
    store(theme);
    applyTheme();
    drawAll(document);
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-switch]")) {
      setTheme(root.dataset.theme === "dark" ? "light" : "dark");
    }
    document.querySelectorAll("details.help[open]").forEach((help) => {
      if (!help.contains(event.target)) help.open = false;
    });
  });
  document.addEventListener("keydown", (event) => {
    const help = event.key === "Escape" && event.target.closest?.("details.help[open]");
    if (help) {
      help.open = false;
      help.querySelector("summary").focus();
    }
  });
  dark.addEventListener("change", () => { applyTheme(); drawAll(document); });
  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("[data-theme-switch]").forEach((button) => { button.hidden = false; });
    drawAll(document);
  });

  // A table that is wider than its place says so: on a phone nothing else tells.
  function hint(box) {
    const hidden = box.scrollWidth - box.clientWidth;
    box.classList.toggle("is-wide", hidden > 1);
    box.classList.toggle("hides-more", hidden - box.scrollLeft > 1);
  }
  const hintAll = () => document.querySelectorAll(".table-scroll").forEach(hint);
  document.addEventListener("scroll", ({ target }) => {
    if (target.classList?.contains("table-scroll")) hint(target);
  }, { capture: true, passive: true });
  document.addEventListener("toggle", hintAll, true);
  document.addEventListener("DOMContentLoaded", hintAll);
  window.addEventListener("resize", hintAll);

  // An address says what was chosen, not what was left alone.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    for (const [name, value] of Object.entries(detail.parameters)) {
      if (detail.verb === "get" && value === "") delete detail.parameters[name];
    }
  });

  const showLost = (lost) => {
    const notice = document.getElementById("lost");
    if (notice) notice.hidden = !lost;
  };
  document.addEventListener("htmx:afterSettle", (event) => { showLost(false); drawAll(event.target); hintAll(); });
  ["htmx:sendError", "htmx:responseError", "htmx:timeout"].forEach((name) => {
    document.addEventListener(name, () => showLost(true));
  });
})();
