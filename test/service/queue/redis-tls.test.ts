import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRedisTls } from '../../../service/queue/redis-tls.ts';
import { makeCertificates, readClientTls, type Certificates } from '../../queue/support/certificates.ts';

let dir: string;
let files: Certificates;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-tls-'));
  files = makeCertificates(dir);
  writeFileSync(join(dir, 'rubbish'), 'no certificate');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

type Files = Parameters<typeof readRedisTls>[0]['redisTls'];
const read = (given: Partial<Files>) =>
  readRedisTls({ redisTls: { caFile: undefined, certFile: undefined, keyFile: undefined, ...given } });

test('the files are read, and none is needed', () => {
  const { ca: caFile, clientCert: certFile, clientKey: keyFile } = files;
  expect(read({ caFile, certFile, keyFile })).toEqual(readClientTls(files));
  expect(read({})).toEqual({});
});

test('a file that is missing, no certificate, or the key of another one is refused in one line', () => {
  const { clientCert: certFile, clientKey: keyFile, serverKey } = files;
  const cases = [
    [{ caFile: join(dir, 'missing') }, /^REDIS_CA_FILE is ".*missing"; .*\(ENOENT\)$/],
    [{ caFile: join(dir, 'rubbish') }, /^REDIS_CA_FILE is ".*rubbish"; allowed: a file in PEM/],
    [{ certFile, keyFile: join(dir, 'missing') }, /^REDIS_KEY_FILE is ".*missing"; .*\(ENOENT\)$/],
    [{ certFile, keyFile: serverKey }, /^REDIS_CERT_FILE is ".*client.pem"; .*the key that belongs to the certificate/],
  ] as const;
  for (const [given, line] of cases) expect(() => read(given)).toThrow(line);
  expect(read({ certFile, keyFile })).toHaveProperty('cert');
});
