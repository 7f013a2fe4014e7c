/** True for services on this computer. */
export function isOnThisComputer(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

/**
 * The address of a service as a payer names it, without a slash at its end. Encryption is required: anyone who can read
 * a signed payment on its way can also change the price before it.
 */
export function readServiceAddress(text: string): { address: string } | { fault: 'no_address' | 'not_encrypted' } {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.username !== '' || url.search !== '' || url.hash !== '') {
    return { fault: 'no_address' };
  }
  if (url.protocol === 'http:' && !isOnThisComputer(text)) return { fault: 'not_encrypted' };
  return { address: url.href.replace(/\/+$/, '') };
}
