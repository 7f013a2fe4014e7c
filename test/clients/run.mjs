/** Runs one client in a process of its own: `node run.mjs <driver>`, with what it needs in the environment. */
const [driver] = process.argv.slice(2);
const { PENNYPOST_URL: url, PAYER_KEY: key, PAYER_RPC: rpc, NETWORK: network, AMOUNT: amount } = process.env;
const order = { receiver: 'alice', amount: Number(amount) };
const { pay } = await import(`./${driver}.mjs`);
try {
  const paid = await pay({ url, key, rpc, network, order });
  process.stdout.write(`\n${JSON.stringify({ paid })}\n`);
} catch (error) {
  process.stdout.write(`\n${JSON.stringify({ error: String(error?.message ?? error).slice(0, 300) })}\n`);
}
// Some of them keep sockets or timers open.
process.exit(0);
