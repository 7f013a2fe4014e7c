/** `npm run torture -- <name> [options]`: the large counts that `npm test` runs a slice of. */
const TORTURES: Record<string, () => Promise<{ run: (args: string[]) => Promise<void> }>> = {
  kills: () => import('./torture/kills.ts'),
  model: () => import('./torture/model.ts'),
  solana: () => import('./torture/solana.ts'),
  claims: () => import('./torture/claims.ts'),
  'chat-kills': () => import('./torture/chat-kills.ts'),
  'wallet-race': () => import('./torture/wallet-race.ts'),
  'pay-links': () => import('./torture/pay-links.ts'),
  rewards: () => import('./torture/rewards.ts'),
  requests: () => import('./torture/requests.ts'),
  'mcp-conformance': () => import('./torture/mcp-conformance.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(TORTURES, name) ? TORTURES[name] : undefined;
if (load) {
  const { run } = await load();
  await run(args);
} else {
  process.stderr.write(`no torture is called "${name}"; there are: ${Object.keys(TORTURES).join(', ')}\n`);
  process.exitCode = 1;
}
