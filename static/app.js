"use strict";
// What the pages add to plain HTML: the live stream of a conversation and the
// keys of its composer. Everything else works without this file.
(() => {
  const byId = (id) => document.getElementById(id);
  const stream = () => document.querySelector(".stream");
  const words = byId("words");
  const composer = byId("composer");
  const scroll = byId("scroll");
  let follow = !location.hash; // scroll along with the end, until the reader scrolls up

  /* --- keys --- */

  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && !e.isComposing && !document.querySelector(":popover-open")) byId("stop")?.click();
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || !words) return;
    if (e.target.closest("input, textarea, select, [contenteditable]")) return;
    e.preventDefault();
    words.focus();
  });

  words?.addEventListener("keydown", (e) => {
    if (e.isComposing || e.keyCode === 229) return; // an input method is at work
    if (e.key === "Enter" && !e.shiftKey) {
      e.preventDefault();
      byId("send").click();
    } else if (e.key === "ArrowUp" && words.value === "" && words.dataset.last) {
      e.preventDefault();
      words.value = words.dataset.last;
      words.setSelectionRange(words.value.length, words.value.length);
    }
  });

  // A mode that was chosen stays chosen in this tab, over a reload and from chat to chat.
  const mode = byId("mode");
  const kept = sessionStorage.getItem("mode");
  if (mode && [...mode.options].some((o) => o.value === kept)) mode.value = kept;
  mode?.addEventListener("change", () => sessionStorage.setItem("mode", mode.value));

  /* --- sending --- */

  // Each message has a key of its own, so that a repeated submit is one message.
  const freshKey = () => [1, 2, 3].map(() => Math.random().toString(36).slice(2)).join("");

  composer?.addEventListener("htmx:afterRequest", (e) => {
    const { successful, requestConfig } = e.detail;
    if (!successful) return;
    byId("trouble").replaceChildren();
    if (!requestConfig.path.endsWith("/messages")) return;
    composer.elements.key.value = freshKey();
    const reply = requestConfig.parameters.reply;
    words.dataset.last = reply || words.value;
    if (!reply) words.value = "";
    follow = true;
    words.focus();
  });

  composer?.addEventListener("htmx:sendError", () => {
    const p = document.createElement("p");
    p.className = "notice bad unreachable";
    p.textContent = "The server cannot be reached, so nothing was sent. Your words are still here; try again.";
    byId("trouble").replaceChildren(p);
  });

  if (!stream()) return;

  /* --- the live stream --- */

  let seq = Number(stream().dataset.seq);
  let source;

  // A new connection begins where this page is, also after a restart of the
  // server or in a tab that was hidden.
  htmx.createEventSource = (url) => (source = new EventSource(url.replace(/after=\d+/, "after=" + seq)));

  const connect = () => {
    const fresh = stream().cloneNode(false);
    stream().replaceWith(fresh);
    htmx.process(fresh);
  };
  // Browsers open six connections to a server at most: a hidden tab gives its own back.
  document.addEventListener("visibilitychange", () => (document.hidden ? source?.close() : connect()));
  addEventListener("pageshow", (e) => e.persisted && connect());
  addEventListener("pagehide", () => source?.close());

  // Without a connection nothing that the page says of the present is sure.
  let lost;
  const connected = (yes) => {
    const line = byId("lost");
    line.textContent = yes ? "" : line.dataset.words;
    byId("offline").hidden = yes;
    document.body.classList.toggle("cut-off", !yes);
    if (yes) document.querySelector("#trouble .unreachable")?.remove();
  };
  document.body.addEventListener("htmx:sseError", () => (lost ??= setTimeout(connected, 1500, false)));
  document.body.addEventListener("htmx:sseOpen", () => {
    clearTimeout(lost);
    lost = undefined;
    connected(true);
  });

  document.body.addEventListener("htmx:sseBeforeMessage", (e) => {
    e.preventDefault(); // elements find their own places
    const { type, data, lastEventId } = e.detail;
    if (data === undefined) return; // the browser's own "error", which shares the name of an event of ours
    if (type === "reset") return location.reload();
    const parts = document.createElement("template");
    parts.innerHTML = data;
    for (const part of [...parts.content.children]) put(part);
    seq = Math.max(seq, Number(lastEventId));
    composer.elements.seen_seq.value = seq;
    settle();
  });

  // What a reader has opened or closed stays so.
  const keepOpen = (name, node) => !(name === "open" && node.tagName === "DETAILS");

  // put replaces the element with the same id; a new one goes into its list, in order.
  function put(part) {
    const old = byId(part.id);
    if (old) {
      Idiomorph.morph(old, part, { morphStyle: "outerHTML", callbacks: { beforeAttributeUpdated: keepOpen } });
    } else {
      const list = byId(part.dataset.in);
      const next = [...(list?.children ?? [])].find((c) => Number(c.dataset.n) > Number(part.dataset.n));
      list?.insertBefore(part, next ?? null);
    }
    if (byId(part.id)) htmx.process(byId(part.id));
    if (part.id === "lists" || part.id === "title") retitle();
  }

  function retitle() {
    const n = Number(byId("lists")?.dataset.count);
    document.title = (n > 0 ? `(${n}) ` : "") + byId("title").textContent + " · Assent";
  }

  /* --- scrolling: follow the end until the reader scrolls up --- */

  const atEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 48;
  scroll.addEventListener("scroll", () => {
    follow = atEnd();
    pins();
  }, { passive: true });
  new ResizeObserver(() => settle()).observe(scroll);

  function settle() {
    tick();
    if (follow) scroll.scrollTop = scroll.scrollHeight;
    pins();
  }

  // A pinned plan steps back while its own card offers the same.
  function pins() {
    const { top, bottom } = scroll.getBoundingClientRect();
    for (const pin of document.querySelectorAll(".pin")) {
      const box = byId(pin.dataset.for)?.querySelector(".answer")?.getBoundingClientRect();
      pin.classList.toggle("near", !!box && box.height > 0 && box.top > top - 8 && box.top < bottom - 24);
    }
  }

  /* --- clocks: how long something has been under way, or when it starts --- */

  function tick() {
    const now = Date.now();
    for (const el of document.querySelectorAll("[data-since]")) {
      const s = Math.max(0, Math.floor((now - el.dataset.since) / 1000));
      el.textContent = s < 60 ? s + " s" : Math.floor(s / 60) + " min " + (s % 60) + " s";
    }
    for (const el of document.querySelectorAll("[data-until]")) {
      const s = Math.ceil((el.dataset.until - now) / 1000);
      el.textContent = s > 0 ? "in " + s + " s" : "now";
    }
  }
  setInterval(tick, 500);
  settle();
})();
