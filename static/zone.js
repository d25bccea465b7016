"use strict";
// Presets a select of time zones with the browser's own zone.
for (const select of document.querySelectorAll("select[data-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) continue;
  if (![...select.options].some((o) => o.value === zone)) select.add(new Option(zone.replaceAll("_", " "), zone));
  select.value = zone;
}
