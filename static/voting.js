// The rater's page with a script: keys, two presses to vote, the next pair without a new page, and
// votes that a lost connection neither loses nor doubles. Without it every button is a form's.
(function () {
  "use strict";
  const store = window.votingDraft;
  const settings = store.settings;
  const DECIDED = "memjury.decided";
  const PATIENCE_MS = 20000;
  const NAMES = { a: "A is better", b: "B is better", tie: "Tie", both_bad: "Both bad" };

  let pending = false; // something is on its way
  let chosen = "";
  let lastVote = null; // given back when it is taken back
  let byPointer = false;
  let clicks = 0;
  let wakeUp = () => {};
  let poll = 0;

  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const stage = () => document.getElementById("stage");
  const ballot = () => document.getElementById("ballot");
  const assignment = () => stage().dataset.assignment || "";
  const isField = (element) => Boolean(element?.closest?.("input, textarea, select, [contenteditable]"));
  const pause = (ms) => new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wakeUp = () => { clearTimeout(timer); resolve(); };
  });

  // ---------- what is said ----------
  function say(sentence) { document.getElementById("said").textContent = sentence; }

  function complain(nodes) {
    const box = document.getElementById("trouble");
    box.replaceChildren(...nodes);
    box.hidden = nodes.length === 0;
  }

  function paragraph(text) {
    const element = document.createElement("p");
    element.textContent = text;
    return element;
  }

  function sayLost(act) {
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Try again now";
    again.addEventListener("click", () => wakeUp());
    const what = act === "cast"
      ? `Your vote (${NAMES[chosen]}) and what you wrote are kept here, and the same vote is sent again by itself.`
      : "Nothing is lost; the page tries again by itself.";
    complain([paragraph(`The server does not answer. ${what}`), again]);
  }

  // ---------- the draft ----------
  function filledIn() {
    const fields = new FormData(ballot());
    return {
      choice: chosen,
      reasons: fields.getAll("reasons"),
      comment: fields.get("comment") || "",
      confidence: fields.get("confidence") || "",
      token: "",
    };
  }

  function keepDraft(changes) {
    if (ballot()) store.keep(assignment(), { ...filledIn(), ...changes });
  }

  function fillIn(draft) {
    const form = ballot();
    form.querySelectorAll("[name=reasons]").forEach((box) => { box.checked = draft.reasons.includes(box.value); });
    form.querySelectorAll("[name=confidence]").forEach((box) => { box.checked = box.value === draft.confidence; });
    if (form.elements.comment && draft.comment) form.elements.comment.value = draft.comment;
    const button = draft.choice && form.querySelector(`[name=choice][value="${CSS.escape(draft.choice)}"]`);
    if (button) choose(button);
  }

  // ---------- choosing ----------
  function choose(button) {
    chosen = button.value;
    all("#ballot [name=choice]").forEach((each) => each.setAttribute("aria-pressed", String(each === button)));
    all(".side").forEach((side) => side.classList.toggle("chosen", side.dataset.side === chosen));
    const cast = document.getElementById("cast");
    cast.disabled = false;
    cast.textContent = `Vote: ${NAMES[chosen]}`;
  }

  function press(button) {
    if (pending || (settings.once && clicks > 1)) return;
    const isSecond = chosen === button.value;
    choose(button);
    keepDraft();
    if (isSecond || settings.once) cast();
    else say(`${NAMES[chosen]}: chosen. Press again, or Enter, to vote.`);
  }

  function cast() {
    if (pending || !chosen) return;
    const body = new FormData(ballot());
    body.set("choice", chosen);
    keepDraft({ token: body.get("client_token") });
    send("cast", ballot().action, body);
  }

  // ---------- sending ----------
  async function ask(address, body) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const response = await fetch(address, {
        method: body ? "POST" : "GET", body, headers: { "X-Partial": "stage" }, signal: patience.signal,
      });
      const html = await response.text();
      return { status: response.status, wait: Number(response.headers.get("Retry-After")) || 0, html };
    } finally {
      clearTimeout(timer);
    }
  }

  function read(html) {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    return { next: parsed.getElementById("stage"), rest: [...parsed.body.children] };
  }

  // A vote or a skip may be sent twice, the second changes nothing. Taking back may not: when its
  // answer is lost, the page is asked for as it is now.
  async function send(act, address, body) {
    const isRepeatable = act === "cast" || act === "skip";
    const id = assignment();
    const draft = ballot() ? filledIn() : null;
    pending = true;
    stage().setAttribute("aria-busy", "true");
    for (let attempt = 0; ; attempt += 1) {
      const reply = await ask(address, body).catch(() => null);
      const page = reply && read(reply.html);
      if (reply?.status === 429) {
        complain(page.rest);
        await pause(1000 * Math.min(60, reply.wait || 5));
      } else if (reply?.status === 200 && page.next) {
        settle(act, id, draft, page.next);
        return;
      } else if (reply && reply.status >= 400 && reply.status < 500) {
        refuse(page);
        return;
      } else {
        sayLost(act);
        if (!isRepeatable) { act = "look"; address = stage().dataset.address; body = undefined; }
        await pause(1000 * Math.min(15, 2 ** attempt));
      }
    }
  }

  function release() {
    pending = false;
    stage().removeAttribute("aria-busy");
  }

  function refuse(page) {
    release();
    keepDraft();
    complain(page.rest);
    document.getElementById("trouble").focus();
  }

  function settle(act, id, draft, next) {
    const choice = chosen;
    if (act === "cast" || act === "skip") store.drop(id);
    if (act === "cast") {
      lastVote = { id, draft };
      try { localStorage.setItem(DECIDED, JSON.stringify([id, Date.now()])); } catch { /* other tabs are not told */ }
    }
    release();
    complain([]);
    show(next, true);
    const where = document.getElementById("progress")?.textContent || "";
    const words = {
      cast: `Vote stored: ${NAMES[choice]}. ${where}`,
      skip: `Skipped. ${where}`,
      undo: `Your last vote is taken back. ${where}`,
    };
    say(words[act] || where);
  }

  async function refresh(sentence) {
    const reply = await ask(stage().dataset.address).catch(() => null);
    const next = reply?.status === 200 && read(reply.html).next;
    if (!next || pending) { watch(); return; }
    const isNew = next.dataset.stage !== stage().dataset.stage || (next.dataset.assignment || "") !== assignment();
    show(next, isNew);
    if (isNew) say(sentence);
  }

  // ---------- a stage arrives ----------
  function show(next, moves) {
    stage().replaceWith(document.adoptNode(next));
    arrive();
    if (!moves) return;
    window.scrollTo(0, 0);
    (one("#stage [data-first]") || one("#stage h1"))?.focus({ preventScroll: true });
  }

  function arrive() {
    chosen = "";
    document.getElementById("settings").hidden = !ballot();
    all("#stage details[data-keep]").forEach((each) => { each.open = settings.open[each.dataset.keep] ?? each.open; });
    all("#stage [data-copy]").forEach((button) => { button.hidden = !navigator.clipboard; });
    store.tidy(assignment());
    if (ballot()) arriveAtPair();
    watch();
  }

  function arriveAtPair() {
    document.getElementById("cast").hidden = false;
    all("#ballot [name=choice]").forEach((button) => button.setAttribute("aria-pressed", "false"));
    const draft = store.read(assignment());
    if (draft) {
      fillIn(draft);
      if (draft.token) {
        ballot().elements.client_token.value = draft.token;
        say("Your vote on this pair has not reached the server. Press Enter, or your choice, to send it.");
      }
    } else if (lastVote?.id === assignment()) fillIn(lastVote.draft);
  }

  function watch() {
    clearTimeout(poll);
    const waiting = one("#stage [data-poll]");
    if (waiting) poll = setTimeout(() => refresh("There is a pair to decide."), 1000 * waiting.dataset.poll);
  }

  // ---------- what the rater does ----------
  document.addEventListener("click", (event) => {
    clicks = event.detail;
    if (event.target.id === "cast") cast();
    const copied = event.target.dataset?.copy;
    if (copied) {
      const code = document.getElementById(copied);
      code.select();
      navigator.clipboard.writeText(code.value).then(() => { document.getElementById("copied").textContent = "Copied"; });
    }
  }, true);

  document.addEventListener("submit", (event) => {
    const act = event.submitter?.dataset.act || event.target.dataset.act;
    if (!act) return;
    event.preventDefault();
    if (event.submitter?.name === "choice") press(event.submitter);
    else if (!pending && event.submitter && act !== "cast") {
      send(act, event.submitter.formAction, new FormData(event.target));
    }
  });

  function key(event) {
    const name = event.key.toLowerCase();
    if (name === "?") {
      const help = one(".settings .keys");
      help.open = !help.open;
      return true;
    }
    if (event.shiftKey) return false;
    if (name === "enter") {
      if (!chosen || event.target.closest("button, a, summary")) return false;
      cast();
      return true;
    }
    const button = /^[a-z]$/.test(name) && one(`#stage [data-key="${name}"]`);
    if (!button) return false;
    const wasThere = document.activeElement === button;
    button.focus({ preventScroll: true });
    clicks = 1;
    if (name === "s" && !wasThere && !settings.once) say("Press S again, or Enter, to skip this pair.");
    else button.form.requestSubmit(button);
    return true;
  }

  document.addEventListener("keydown", (event) => {
    byPointer = false;
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (isField(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (settings.keys && key(event)) event.preventDefault();
  });
  document.addEventListener("pointerdown", () => { byPointer = true; });

  document.addEventListener("change", (event) => {
    const setting = event.target.dataset.setting;
    if (setting) {
      settings[setting] = event.target.checked;
      store.keepSettings();
    }
    // A box that was clicked would keep the keys resting.
    if (byPointer && event.target.matches("[type=checkbox], [type=radio]")) setTimeout(() => event.target.blur());
  });
  document.addEventListener("input", (event) => { if (event.target.form === ballot() && !pending) keepDraft(); });
  document.addEventListener("toggle", (event) => {
    const name = event.target.dataset?.keep;
    if (!name) return;
    settings.open[name] = event.target.open;
    store.keepSettings();
  }, true);

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

  window.addEventListener("online", () => wakeUp());
  window.addEventListener("pageshow", (event) => { if (event.persisted && !pending) refresh("This is where you are now."); });
  window.addEventListener("storage", (event) => {
    if (event.key !== DECIDED || pending || !assignment()) return;
    if (event.newValue?.includes(`"${assignment()}"`)) refresh("That pair was decided in another tab; this is the next one.");
  });

  all("[data-setting]").forEach((box) => { box.checked = settings[box.dataset.setting]; });
  arrive();
})();
