// The list of runs: what is chosen stays chosen from page to page, and runs that begin or end appear
// and go. Without it the list still filters, and compares what is chosen on one page.
//
// What was decided here: everything of a run is put in as text, or as the value of an attribute.
(function () {
  'use strict';
  const KEY = 'fathom-chosen';
  const LEAST = 2;
  const MOST = 12;
  const LOOK_AGAIN_MS = 3000;

  // ---- what is chosen ---------------------------------------------------------------------------

  function kept() {
    try {
      const chosen = JSON.parse(sessionStorage.getItem(KEY));
      return Array.isArray(chosen) ? chosen.filter((id) => typeof id === 'string') : [];
    } catch {
      return [];
    }
  }

  const form = document.getElementById('compare');
  let chosen = kept();

  function keep() {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(chosen));
    } catch {
      // Without a place to keep it, it holds for this page.
    }
  }

  function showChosen() {
    const said = document.getElementById('chosen');
    said.dataset.hint = said.dataset.hint || said.textContent;
    said.textContent = chosen.length ? `${form.dataset.chosen}: ${chosen.length} / ${MOST}` : said.dataset.hint;
    form.querySelector('[type=submit]').disabled = chosen.length < LEAST || chosen.length > MOST;
    document.getElementById('unchoose').hidden = !chosen.length;
    form.querySelector('.comparing').classList.toggle('some', chosen.length > 0);
    for (const box of form.elements.namedItem('run') ? boxes() : []) {
      box.checked = chosen.includes(box.value);
      box.closest('tr').classList.toggle('chosen', box.checked);
    }
  }

  const boxes = () => form.querySelectorAll('input[name=run]');

  /** @param {HTMLInputElement} box */
  function choose(box) {
    chosen = chosen.filter((id) => id !== box.value);
    if (box.checked) chosen.push(box.value);
    keep();
    showChosen();
  }

  function compare(event) {
    event.preventDefault();
    const query = new URLSearchParams(chosen.map((id) => ['run', id]));
    location.assign(`/compare?${query}`);
  }

  function chooseRuns() {
    form.addEventListener('change', (event) => event.target.name === 'run' && choose(event.target));
    form.addEventListener('submit', compare);
    document.getElementById('unchoose').addEventListener('click', () => {
      chosen = [];
      keep();
      showChosen();
    });
    // A page that comes back from the browser's memory may be older than what is chosen.
    addEventListener('pageshow', () => {
      chosen = kept();
      showChosen();
    });
    showChosen();
  }

  // ---- runs that go on ----------------------------------------------------------------------------

  const section = document.querySelector('.running');

  /** @param {string} name @param {string} kind @param {...(Node|string)} children */
  function element(name, kind, ...children) {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.append(...children);
    return made;
  }

  /** @param {{id: string, title: string, kind: string, targets: string[]}} run */
  function running(run) {
    const about = element('span', '', element('strong', '', run.title || run.kind));
    for (const target of run.targets) about.append(' ', element('span', 'target', target));
    const link = element('a', '', element('span', 'pulse'), about, element('span', 'watch', section.dataset.label));
    link.href = `/live/${encodeURIComponent(run.id)}`;
    return element('li', 'card', link);
  }

  let known = [...section.querySelectorAll('a')].map((link) => link.pathname.split('/').pop()).join();

  async function look() {
    if (document.hidden) return;
    let runs;
    try {
      runs = await (await fetch('/live.json')).json();
    } catch {
      return; // The server has ended; what is shown stays.
    }
    const now = runs.map((run) => run.id).join();
    if (now === known) return;
    known = now;
    section.querySelector('ul').replaceChildren(...runs.map(running));
    section.hidden = !runs.length;
  }

  if (form) chooseRuns();
  setInterval(look, LOOK_AGAIN_MS);
})();
