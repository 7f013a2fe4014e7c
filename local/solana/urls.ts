/** Where a chain is found: web3.js looks for the websocket one port above the one it is given. */
export function toRpcUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

export function toWsUrl(port: number): string {
  return `ws://127.0.0.1:${port + 1}`;
}
