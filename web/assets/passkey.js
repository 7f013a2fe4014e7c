// Passkeys, where the browser has them: without this script, or without them, what needs one is not shown, and without them
// the way to a browser that has them is. A form asks for its signature when it is sent, and then goes its way with what was
// signed in a field.

/** @typedef {{ publicKey: Record<string, unknown> }} Wanted */

document.documentElement.classList.add(typeof PublicKeyCredential === 'function' ? 'passkeys' : 'no-passkeys');

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset['passkey'] === undefined) return;
  event.preventDefault();
  void sign(form);
});

/** @param {HTMLFormElement} form */
async function sign(form) {
  const problem = form.querySelector('[role=alert]');
  if (problem instanceof HTMLElement) problem.hidden = true;
  try {
    const answer = await ask(form.dataset['passkey'] ?? '', await optionsOf(form));
    const field = form.elements.namedItem('signed');
    if (answer === null || !(field instanceof HTMLInputElement)) return;
    field.value = JSON.stringify(answer);
    form.submit();
  } catch {
    // Closed, timed out, or there is none of ours: all the same to the person, who may press again.
    if (problem instanceof HTMLElement) problem.hidden = false;
  }
}

/**
 * They stand in the page, or are asked for now where they hold for minutes only.
 * @param {HTMLFormElement} form
 * @returns {Promise<Record<string, unknown>>}
 */
async function optionsOf(form) {
  const { options } = form.dataset;
  if (options !== undefined) return toRecord(/** @type {unknown} */ (JSON.parse(options)));
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.set(name, value);
  const response = await fetch('/purse/passkeys/ask', { method: 'POST', body: fields });
  if (!response.ok) throw new Error('not now');
  return toRecord(/** @type {unknown} */ (await response.json()));
}

/**
 * @param {string} what
 * @param {Record<string, unknown>} options
 */
async function ask(what, options) {
  const publicKey = /** @type {unknown} */ (withBytes(options));
  const credential =
    what === 'create'
      ? await navigator.credentials.create({ publicKey: /** @type {PublicKeyCredentialCreationOptions} */ (publicKey) })
      : await navigator.credentials.get({ publicKey: /** @type {PublicKeyCredentialRequestOptions} */ (publicKey) });
  if (!(credential instanceof PublicKeyCredential)) return null;
  const { id, type, response } = credential;
  const base = { id, rawId: toText(credential.rawId), type, clientExtensionResults: {} };
  const clientDataJSON = toText(response.clientDataJSON);
  if (response instanceof AuthenticatorAttestationResponse) {
    const transports = 'getTransports' in response ? response.getTransports() : [];
    const attestationObject = toText(response.attestationObject);
    return { ...base, response: { clientDataJSON, attestationObject, transports } };
  }
  if (!(response instanceof AuthenticatorAssertionResponse)) return null;
  const authenticatorData = toText(response.authenticatorData);
  return { ...base, response: { clientDataJSON, authenticatorData, signature: toText(response.signature) } };
}

/**
 * Bytes come as base64url.
 * @param {Record<string, unknown>} options
 */
function withBytes(options) {
  const user = toRecord(options['user']);
  return {
    ...options,
    challenge: toBytes(options['challenge']),
    ...('id' in user ? { user: { ...user, id: toBytes(user['id']) } } : {}),
    ...withList(options, 'excludeCredentials'),
    ...withList(options, 'allowCredentials'),
  };
}

/**
 * @param {Record<string, unknown>} options
 * @param {string} name
 */
function withList(options, name) {
  const list = /** @type {unknown} */ (options[name]);
  if (!Array.isArray(list)) return {};
  return { [name]: list.map(toRecord).map((one) => ({ ...one, id: toBytes(one['id']) })) };
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function toRecord(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** @param {unknown} text */
function toBytes(text) {
  const binary = atob(String(text).replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer */
function toText(buffer) {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
