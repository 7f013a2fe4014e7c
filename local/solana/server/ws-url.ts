/** web3.js looks for the websocket one port above the one that it is given. */
export function toWsUrl(port: number): string {
  return `ws://127.0.0.1:${port + 1}`;
}
