/**
 * The element that the page must have under this selector.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
export function find(selector, kind) {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} ${selector}`);
  return element;
}

/**
 * An element whose content is text: nothing that a person wrote is ever read as HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, className = '', text = '') {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.textContent = text;
  return element;
}
