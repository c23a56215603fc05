// What a rater has chosen and written for a pair before voting, and how they like the page to work:
// kept in this browser alone. Where nothing may be kept, the page works as if nothing had been.
(function () {
  "use strict";
  const DRAFT = "memjury.draft.";
  const SETTINGS = "memjury.voting";
  const DAY_MS = 24 * 3600 * 1000;

  function read(key) {
    try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
  }
  function write(key, value) {
    try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* not kept */ }
  }
  function remove(key) {
    try { localStorage.removeItem(key); } catch { /* nothing was kept */ }
  }
  function draftKeys() {
    try { return Object.keys(localStorage).filter((key) => key.startsWith(DRAFT)); } catch { return []; }
  }

  const settings = { keys: true, once: false, step: true, open: {}, ...read(SETTINGS) };

  window.votingDraft = {
    settings,
    keepSettings() { write(SETTINGS, settings); },
    read(id) { return read(DRAFT + id); },
    keep(id, draft) { write(DRAFT + id, { ...draft, at: Date.now() }); },
    drop(id) { remove(DRAFT + id); },

    // A token belongs to a vote that was sent and not answered; on another pair than the one shown
    // the vote has arrived, and a later one must not look like the same vote sent again.
    tidy(shown) {
      for (const key of draftKeys()) {
        const draft = read(key);
        if (!draft || Date.now() - draft.at > 3 * DAY_MS) remove(key);
        else if (key !== DRAFT + shown && draft.token) write(key, { ...draft, token: "" });
      }
    },
  };
})();
