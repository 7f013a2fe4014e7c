/**
 * Follows a withdrawal: asks for the page again and replaces the parts that have changed, until it says that it is over.
 */
const ASK_EVERY_MS = 1_000;

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Null when there is no answer; the next look may have one. */
async function load() {
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null;
  } catch {
    return null;
  }
}

/** @param {Document} next */
function replaceChanged(next) {
  document.title = next.title;
  for (const shown of document.querySelectorAll('[data-live]')) {
    const changed = next.querySelector(`[data-live="${shown.getAttribute('data-live')}"]`);
    if (changed && changed.innerHTML !== shown.innerHTML) shown.replaceChildren(...changed.childNodes);
  }
}

let isOver = false;
while (!isOver) {
  await pause(ASK_EVERY_MS);
  const next = document.hidden ? null : await load();
  if (!next) continue;
  replaceChanged(next);
  isOver = next.querySelector('[data-finished="true"]') !== null;
}
