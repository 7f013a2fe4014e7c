import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

// Start it without a secret to register it, and with the secret that you are shown from then on.
const secret = process.env.PENNYPOST_EVENT_SECRET;
const known = new Set();
async function receive(request, response) {
  const body = await text(request);
  if (secret === undefined) return response.end(JSON.parse(body).data.challenge);
  const { type, data } = new Webhook(secret).verify(body, request.headers);
  // An event may come twice, under the same id.
  if (!known.has(request.headers['webhook-id'])) console.log(type, data.txn_ids.join(' '));
  known.add(request.headers['webhook-id']);
  return response.writeHead(204).end();
}
createServer((request, response) => {
  receive(request, response).catch(() => response.writeHead(400).end());
}).listen(process.env.PORT);
