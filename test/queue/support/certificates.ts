import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of files in PEM. */
export type Certificates = Record<'ca' | 'serverCert' | 'serverKey' | 'clientCert' | 'clientKey', string>;

/** An authority of its own in `directory`, a server of it on this machine, and a client. */
export function makeCertificates(directory: string): Certificates {
  const path = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
  );
  for (const [name, extension] of [
    ['server', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
    ['client', 'extendedKeyUsage=clientAuth'],
  ] as const) {
    writeFileSync(path(`${name}.extension`), extension);
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.request`, '-subj', `/CN=${name}`);
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.extension`];
    openssl('x509', '-req', '-in', `${name}.request`, ...signed, '-out', `${name}.pem`, '-days', '2');
  }
  return {
    ca: path('ca.pem'),
    serverCert: path('server.pem'),
    serverKey: path('server.key'),
    clientCert: path('client.pem'),
    clientKey: path('client.key'),
  };
}

export function readClientTls({ ca, clientCert, clientKey }: Certificates) {
  const read = (path: string) => readFileSync(path, 'utf8');
  return { ca: read(ca), cert: read(clientCert), key: read(clientKey) };
}
