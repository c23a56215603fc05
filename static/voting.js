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
  let lastVote = null; // what was written is given back when the vote is taken back
  let byPointer = false;
  let clicks = 0;
  let wakeUp = () => {};
  let poll = 0;

  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const stage = () => byId("stage");
  const ballot = () => byId("ballot");
  const assignment = () => stage().dataset.assignment || "";
  const isField = (element) => Boolean(element?.closest?.("input, textarea, select, [contenteditable]"));
  const pause = (ms) => new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wakeUp = () => { clearTimeout(timer); resolve(); };
  });

  // ---------- what is said ----------
  function say(sentence) { byId("said").textContent = sentence; }

  function complain(nodes) {
    const box = byId("trouble");
    box.replaceChildren(...nodes);
    box.hidden = nodes.length === 0;
  }

  function sayLost(act) {
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Try again now";
    again.addEventListener("click", () => wakeUp());
    const what = act === "cast"
      ? `Your vote (${NAMES[chosen]}) and what you wrote are kept here, and the same vote is sent again by itself.`
      : "Nothing is lost; the page tries again by itself.";
    const sentence = document.createElement("p");
    sentence.textContent = `The server does not answer. ${what}`;
    complain([sentence, again]);
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
    all("#ballot .choices button").forEach((each) => each.setAttribute("aria-pressed", String(each === button)));
    all(".side").forEach((side) => side.classList.toggle("chosen", side.dataset.side === chosen));
    const cast = byId("cast");
    cast.disabled = false;
    cast.textContent = `Vote: ${NAMES[chosen]}`;
  }

  function press(button) {
    if (pending || !button.value || (settings.once && clicks > 1)) return;
    const isSecond = chosen === button.value;
    choose(button);
    keepDraft();
    if (isSecond || settings.once) cast();
    else say(`Chosen: ${NAMES[chosen]}. Press again to vote.`);
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

  // What is sent twice changes nothing the second time, except going on: when the answer to that
  // is lost, the page is asked for as it is now.
  async function send(act, address, body) {
    const id = assignment();
    const draft = ballot() ? filledIn() : null;
    setPending(true);
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
        if (act === "continue") { act = "look"; address = stage().dataset.address; body = undefined; }
        await pause(1000 * Math.min(15, 2 ** attempt));
      }
    }
  }

  // What is on its way cannot be changed any more; what would be written now would be lost.
  function setPending(yes) {
    pending = yes;
    stage().setAttribute("aria-busy", String(yes));
    one("#ballot .why")?.toggleAttribute("inert", yes);
  }

  function refuse(page) {
    setPending(false);
    keepDraft();
    complain(page.rest);
    byId("trouble").focus();
  }

  function settle(act, id, draft, next) {
    const choice = chosen;
    if (act === "cast" || act === "skip") store.drop(id);
    if (act === "cast") {
      lastVote = draft;
      try { localStorage.setItem(DECIDED, JSON.stringify([id, Date.now()])); } catch { /* other tabs are not told */ }
    }
    setPending(false);
    complain([]);
    show(next, true);
    if (act === "undo" && lastVote && ballot()) fillIn({ ...lastVote, choice: "" });
    if (act !== "cast") lastVote = null;
    const where = byId("progress")?.textContent || "";
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
    byId("settings").hidden = !ballot();
    store.tidy(assignment());
    if (ballot()) arriveAtPair();
    document.dispatchEvent(new Event("voting:arrived"));
    watch();
  }

  function arriveAtPair() {
    byId("cast").hidden = false;
    all("#ballot .choices button").forEach((button) => button.setAttribute("aria-pressed", "false"));
    const draft = store.read(assignment());
    if (draft) fillIn(draft);
    if (!draft?.token) return;
    ballot().elements.client_token.value = draft.token;
    say("Your vote on this pair has not reached the server. Press Enter, or your choice, to send it.");
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

  // Whether the key was one of ours.
  function key(event) {
    const name = event.key.toLowerCase();
    if (name === "?") return one(".settings .keys").toggleAttribute("open") || true;
    if (event.shiftKey) return false;
    if (name === "enter") {
      if (!chosen || event.target.closest("button, a, summary")) return false;
      cast();
      return true;
    }
    const button = /^[a-z]$/.test(name) && one(`#stage [data-key="${name}"]`);
    if (!button) return false;
    const isSecond = document.activeElement === button;
    button.focus({ preventScroll: true });
    clicks = 1;
    if (name === "s" && !isSecond && !settings.once) say("Press S again, or Enter, to skip this pair.");
    else button.form.requestSubmit(button);
    return true;
  }

  document.addEventListener("keydown", (event) => {
    byPointer = false;
    if (event.defaultPrevented || event.isComposing) return;
    if (event.repeat) {
      // Enter held down would press a button again and again: choose, then vote.
      if (event.key === "Enter" && event.target.closest("button")) event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (isField(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (settings.keys && key(event)) event.preventDefault();
  });
  document.addEventListener("pointerdown", () => { byPointer = true; });

  // A box that was clicked would keep the keys resting.
  document.addEventListener("change", (event) => {
    if (byPointer && event.target.matches("[type=checkbox], [type=radio]")) event.target.blur();
  });
  document.addEventListener("input", (event) => { if (event.target.form === ballot() && !pending) keepDraft(); });

  window.addEventListener("online", () => wakeUp());
  window.addEventListener("pageshow", (event) => { if (event.persisted && !pending) refresh("This is where you are now."); });
  window.addEventListener("storage", (event) => {
    if (event.key !== DECIDED) return;
    lastVote = null;
    if (pending || !assignment()) return;
    if (event.newValue?.includes(`"${assignment()}"`)) refresh("That pair was decided in another tab; this is the next one.");
  });

  arrive();
})();
