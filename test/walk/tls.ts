/** What stands for the internet's https: one certificate for every name of the walk, and a server that leads on by name. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const STRANGERS_PORT = 8443;
/** One of the public internet, in the walk's own network alone: the service asks no other for a sign-in. */
export const STRANGERS_ADDRESS = '192.0.3.1';

export type Tls = { certificate: string; key: string };

/** Signed by itself, so it is its own authority. */
export function makeCertificate(folder: string, names: readonly string[]): Tls {
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  const subject = [
    '-subj',
    '/CN=the walk',
    '-addext',
    `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`,
  ];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  return { certificate, key };
}

/** Each name leads to a server of this machine, which speaks of itself by that name; one without is a page that is there. */
export async function startStrangers({ certificate, key }: Tls, targets: ReadonlyMap<string, string>): Promise<void> {
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (incoming, answer) => {
    const { method, url: path = '/', headers } = incoming;
    const target = targets.get((headers.host ?? '').split(':')[0] ?? '');
    if (target === undefined) return void answer.writeHead(200, { 'content-type': 'text/html' }).end('A page.');
    const url = new URL(path, target);
    const outgoing = request(url, { method, headers: { ...headers, host: url.host } }, (response) => {
      void text(response).then((body) => {
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = response.headers;
        const named = body.replaceAll(target, `https://${headers.host}`);
        answer
          .writeHead(response.statusCode ?? 502, { ...kept, 'content-length': Buffer.byteLength(named) })
          .end(named);
      });
    });
    outgoing.on('error', () => void answer.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(STRANGERS_PORT, STRANGERS_ADDRESS);
  await once(server, 'listening');
}
