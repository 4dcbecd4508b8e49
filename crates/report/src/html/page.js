"use strict";
// The report as a page: a tab per violation with threads as lanes, and one for all verdicts. All text is set as text.
(() => {
  const { report, sources } = JSON.parse(document.getElementById("data").textContent);
  const violations = report.checks.filter((check) => check.verdict === "unsafe");
  const state = { tab: 0, step: 0, unfolded: false, file: null, line: 0 };

  // An element with attributes and children; strings become text.
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "onclick") element.addEventListener("click", value);
      else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
    }
    for (const child of children.flat()) if (child !== null && child !== undefined && child !== "") element.append(child);
    return element;
  }

  const place = (location) => (location ? `${location.file}:${location.line}` : "");
  const violation = () => violations[state.tab];

  function go(location) {
    if (!location) return;
    state.file = location.file;
    state.line = location.line;
    showSource();
  }

  function link(location) {
    return location ? make("button", { class: "link code", onclick: () => go(location) }, place(location)) : null;
  }

  function showHead() {
    const words = { safe: "Safe", unsafe: "Unsafe", bounded: "Bounded", unknown: "Unknown" };
    const count = (word) => report.checks.filter((check) => check.verdict === word).length;
    const parts = ["unsafe", "unknown", "bounded", "safe"].filter(count).map((word) => `${count(word)} ${word}`);
    document.getElementById("head").replaceChildren(
      make("h1", { class: report.verdict }, words[report.verdict]),
      make("div", { class: "faint" }, `${report.checks.length} checks: ${parts.join(", ")}. Selvedge ${report.version}.`),
      make("nav", { role: "tablist" },
        violations.map((check, index) =>
          make("button", { role: "tab", "aria-selected": String(index === state.tab), onclick: () => open(index) }, check.message)),
        make("button", { role: "tab", "aria-selected": String(state.tab === violations.length), onclick: () => open(violations.length) },
          "All verdicts")));
  }

  function open(tab) {
    state.tab = tab;
    state.step = violations[tab] ? Math.max(0, violations[tab].trace.length - 1) : 0;
    show();
  }

  function show() {
    showHead();
    const main = document.getElementById("main");
    const shown = violation() ? schedulePanes() : verdictPanes();
    main.replaceChildren(make("div", { class: "columns" }, ...shown), footer());
    const check = violation();
    if (check) {
      go((check.trace[state.step] || {}).location || check.location || (check.marks[0] || {}).location);
    } else {
      const first = report.checks.find((one) => one.location) || report.invariants?.find((one) => one.location);
      if (first) go(first.location);
    }
    reveal();
  }

  function footer() {
    const remarks = [
      ...report.warnings.map((one) => ["warning", one]),
      ...(report.advice || []).map((message) => ["try", { message }]),
      ...report.notes.map((one) => ["note", one]),
      ...report.assumed.map((message) => ["assumed", { message }]),
    ];
    return make("footer", {}, remarks.map(([word, one]) => make("div", {}, `${word}: ${one.message} `, link(one.location))));
  }

  // Threads as lanes, steps in the order of time.
  function schedulePanes() {
    const check = violation();
    const threads = [...new Set(check.trace.map((step) => step.thread))].sort((a, b) => a - b);
    const head = make("tr", {}, make("th", {}, ""), threads.map((thread) => make("th", {}, check.threads[thread] || `thread ${thread}`)));
    const body = make("tbody", {}, rows(check, threads));
    const buttons = [
      make("button", { id: "previous", "aria-label": "previous step", onclick: () => move(-1) }, "↑"),
      make("button", { id: "next", "aria-label": "next step", onclick: () => move(1) }, "↓"),
      check.trace.some((step, index) => state.unfolded ? step.internal : isFolded(check, index))
        ? make("button", { id: "unfold", "aria-pressed": String(state.unfolded), onclick: unfold }, "all steps")
        : null,
    ];
    const lanes = make("section", { class: "pane", "aria-label": "schedule" },
      make("div", { class: "bar" }, make("h2", { class: "grow", style: "margin:0" }, check.message), buttons),
      make("div", { class: "scroll", id: "lanes", tabindex: "0" }, make("table", { class: "lanes" }, make("thead", {}, head), body)),
      make("div", { class: "bar faint" }, "Step with ", make("kbd", {}, "↑"), make("kbd", {}, "↓"), " or ", make("kbd", {}, "k"), make("kbd", {}, "j"),
        "; ", make("kbd", {}, "Home"), make("kbd", {}, "End"), "; ", make("kbd", {}, "["), make("kbd", {}, "]"), " another violation"));
    const right = make("div", {}, sourcePane(),
      make("section", { class: "pane", style: "margin-top:1rem", "aria-label": "values and locks" },
        make("div", { class: "bar" }, make("strong", {}, "After this step")), make("div", { class: "state", id: "state" })));
    return [lanes, right];
  }

  function isFolded(check, index) {
    if (state.unfolded || !check.trace[index].internal) return false;
    const alike = (step) => step && step.internal && step.thread === check.trace[index].thread;
    let first = index, last = index;
    while (alike(check.trace[first - 1])) first -= 1;
    while (alike(check.trace[last + 1])) last += 1;
    return last - first + 1 >= 3;
  }

  function rows(check, threads) {
    const made = [];
    check.trace.forEach((step, index) => {
      if (isFolded(check, index)) {
        const last = made[made.length - 1];
        if (last && last.folded === step.thread) { last.count += 1; return; }
        made.push({ folded: step.thread, count: 1 });
        return;
      }
      made.push({ step, index });
    });
    return made.map((row) => (row.step ? stepRow(row, threads) : foldRow(row, threads)));
  }

  function foldRow(row, threads) {
    const cells = threads.map((thread) => make("td", {}, thread === row.folded ? `… ${row.count} lines that no other thread notices` : ""));
    return make("tr", { class: "fold", onclick: unfold }, make("td", {}, ""), cells);
  }

  function stepRow({ step, index }, threads) {
    const check = violation();
    const classes = ["step", step.pending ? "pending" : "", index === state.step ? "current" : "", index > state.step ? "later" : ""];
    const cells = threads.map((thread) => {
      if (thread !== step.thread) return make("td", {}, "");
      return make("td", { class: "does", "data-thread": check.threads[thread] || `thread ${thread}`, style: `--lane:${threads.indexOf(thread)}` },
        make("span", { class: "where" }, `${step.function}, line ${step.location ? step.location.line : "?"}`),
        make("span", { class: "code" }, step.statement),
        step.changes.length ? make("span", { class: "changes" }, step.changes.join(", ")) : null,
        step.holds && step.holds.length ? make("span", { class: "locks" }, `holds ${step.holds.join(", ")}`) : null);
    });
    return make("tr", { class: classes.filter(Boolean).join(" "), "data-step": index, onclick: () => select(index) },
      make("td", {}, String(index + 1)), cells);
  }

  function select(index) {
    state.step = index;
    const check = violation();
    document.querySelectorAll("tr.step").forEach((row) => {
      const at = Number(row.dataset.step);
      row.classList.toggle("current", at === index);
      row.classList.toggle("later", at > index);
    });
    go(check.trace[index].location);
    reveal();
  }

  function move(by) {
    const check = violation();
    if (!check || !check.trace.length) return;
    let next = state.step + by;
    while (check.trace[next] && isFolded(check, next)) next += by;
    if (check.trace[next]) select(next);
  }

  function unfold() {
    state.unfolded = !state.unfolded;
    const step = state.step;
    show();
    select(step);
  }

  // What is known after the current step: values and locks, what is fresh set off.
  function reveal() {
    const check = violation();
    const box = document.getElementById("state");
    if (!check || !box) return;
    const values = new Map(), locks = new Map();
    check.trace.slice(0, state.step + 1).forEach((step, index) => {
      for (const one of step.values || []) values.set(one.name, { value: one.value, index });
      locks.set(step.thread, step.holds || []);
    });
    const held = [...locks].filter(([, names]) => names.length).sort((a, b) => a[0] - b[0]);
    const row = (name, value, fresh) => make("tr", { class: fresh ? "fresh" : "" }, make("td", { class: "code" }, name), make("td", { class: "code" }, value));
    box.replaceChildren(
      make("table", {}, make("tbody", {},
        held.map(([thread, names]) => row(`thread ${thread} holds`, names.join(", "), false)),
        [...values].map(([name, one]) => row(name, one.value, one.index === state.step)))),
      values.size || held.length ? "" : make("span", { class: "faint" }, "nothing that has a name has a value yet"));
    const current = document.querySelector("tr.current");
    if (current) current.scrollIntoView({ block: "nearest" });
  }

  function sourcePane() {
    return make("section", { class: "pane", "aria-label": "source" },
      make("div", { class: "bar" }, make("strong", { id: "file", class: "code grow" }, "")),
      make("div", { class: "scroll", id: "source", tabindex: "0" }));
  }

  function showSource() {
    const box = document.getElementById("source");
    if (!box) return;
    document.getElementById("file").textContent = state.file || "";
    const marks = new Map();
    for (const mark of (violation() || { marks: [] }).marks) {
      if (mark.location && mark.location.file === state.file) marks.set(mark.location.line, [...(marks.get(mark.location.line) || []), mark.text]);
    }
    const invariants = new Map();
    if (!violation()) {
      for (const one of report.invariants || []) {
        if (one.location && one.location.file === state.file) invariants.set(one.location.line, one.alternatives);
      }
    }
    const lines = (sources[state.file] || []).map((text, index) => {
      const number = index + 1;
      const classes = [number === state.line ? "here" : "", marks.has(number) ? "marked" : ""].filter(Boolean).join(" ");
      const said = invariants.get(number);
      return make("div", { class: classes, "data-line": number },
        said ? make("span", { class: "invariant" }, `{ ${said.slice(0, 4).join(" || ")}${said.length > 4 ? " || …" : ""} }`) : null,
        make("span", { class: "number", style: "grid-column:1" }, String(number)), make("span", { style: "grid-column:2" }, text || " "),
        (marks.get(number) || []).map((text) => make("span", { class: "note" }, text)));
    });
    box.replaceChildren(make("pre", { class: "source" }, lines));
    const here = box.querySelector(".here");
    if (here) box.scrollTop = here.offsetTop - box.offsetTop - box.clientHeight / 2;
  }

  // Every check with its verdict and what that stands on.
  function verdictPanes() {
    const why = (check) => {
      if (check.verdict === "safe") return [check.protection, `${check.certificate} (${check.engine})`].filter(Boolean).join("; ");
      if (check.verdict === "unsafe") return `${check.message} (${check.engine})`;
      const reasons = (check.reasons || []).map((reason) => reason.message).join("; ");
      return check.verdict === "bounded" ? `holds within ${check.covered} (${check.engine}); ${reasons}` : reasons;
    };
    const item = (check) => make("li", { "data-verdict": check.verdict },
      make("span", { class: `word ${check.verdict}` }, check.verdict),
      make("span", {}, check.property === "assertion" && check.location ? make("code", {}, check.description) : check.description, " "), link(check.location),
      make("div", { class: "faint" }, why(check)));
    const objects = report.checks.filter((check) => check.object);
    const others = report.checks.filter((check) => !check.object);
    const list = make("section", { class: "pane", "aria-label": "verdicts" },
      others.length ? [make("div", { class: "bar" }, make("strong", {}, "Checks")), make("ul", { class: "list" }, others.map(item))] : null,
      objects.length ? [make("div", { class: "bar" }, make("strong", {}, "Shared objects")), make("ul", { class: "list", id: "objects" }, objects.map(item))] : null);
    return [list, make("div", {}, sourcePane())];
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const check = violation();
    const keys = {
      ArrowDown: () => move(1), ArrowRight: () => move(1), j: () => move(1),
      ArrowUp: () => move(-1), ArrowLeft: () => move(-1), k: () => move(-1),
      Home: () => check && select(0), End: () => check && select(check.trace.length - 1),
      "[": () => open((state.tab + violations.length) % (violations.length + 1)),
      "]": () => open((state.tab + 1) % (violations.length + 1)),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  // `#keys=j,j,End` presses keys when the page is opened: links to a step, and tests.
  const pressed = new URLSearchParams(location.hash.slice(1)).get("keys");
  open(0);
  if (pressed) for (const key of pressed.split(",")) document.dispatchEvent(new KeyboardEvent("keydown", { key }));
})();
