/** A strict AWS KMS: its JSON protocol, its rules and its own errors (AWS KMS API Reference). */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { makeKey, type FakeKey, type KeySpec } from './keys.ts';
import { KmsRefusal, type KmsErrorName } from './refusal.ts';
import { checkSignature, type Credentials } from './signed-request.ts';

const REGION = 'eu-central-1';
const ACCOUNT = '111122223333';
const TARGET = /^TrentService\.([A-Za-z]+)$/;
const BODY_BYTES_MAX = 64 * 1024;
const MESSAGE_BYTES_MAX = 4_096;

const ALGORITHMS: Readonly<Record<KeySpec, readonly string[]>> = {
  ECC_SECG_P256K1: ['ECDSA_SHA_256'],
  ECC_NIST_EDWARDS25519: ['ED25519_SHA_512', 'ED25519_PH_SHA_512'],
  ECC_NIST_P256: ['ECDSA_SHA_256'],
};

const signSchema = z.strictObject({
  KeyId: z.string().min(1).max(2_048),
  Message: z.base64().min(1),
  MessageType: z.enum(['RAW', 'DIGEST', 'EXTERNAL_MU']).default('RAW'),
  GrantTokens: z.array(z.string()).max(10).optional(),
  SigningAlgorithm: z.string(),
  DryRun: z.boolean().default(false),
});
const publicKeySchema = z.strictObject({
  KeyId: z.string().min(1).max(2_048),
  GrantTokens: z.array(z.string()).optional(),
});

export type FakeKms = Awaited<ReturnType<typeof startFakeKms>>;

/** What goes wrong, for tests. */
type Faults = { refuseNext: KmsErrorName[]; refuseAll: KmsErrorName | null; delayMs: number; signWith: FakeKey | null };

export async function startFakeKms(port = 0) {
  const credentials: Credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG' };
  const keys = new Map<string, FakeKey>();
  const faults: Faults = { refuseNext: [], refuseAll: null, delayMs: 0, signWith: null };
  const calls: { operation: string; isTry: boolean; outcome: 'ok' | KmsErrorName }[] = [];

  function findKey(id: string): FakeKey {
    const found = keys.get(id) ?? [...keys.values()].find(({ arn }) => arn.endsWith(`:key/${id}`));
    if (found === undefined) throw new KmsRefusal('NotFoundException', `Key '${id}' does not exist`);
    if (!found.isAllowed)
      throw new KmsRefusal('AccessDeniedException', 'User is not authorized to perform this action');
    if (!found.isEnabled) throw new KmsRefusal('DisabledException', `${found.arn} is disabled.`);
    return found;
  }

  function signIt(body: unknown) {
    const { KeyId, Message, MessageType, SigningAlgorithm, DryRun } = parse(signSchema, body);
    const key = findKey(KeyId);
    if (key.usage !== 'SIGN_VERIFY')
      throw new KmsRefusal('InvalidKeyUsageException', `${key.arn} key usage is ${key.usage}`);
    if (!ALGORITHMS[key.spec].includes(SigningAlgorithm)) {
      throw new KmsRefusal(
        'InvalidKeyUsageException',
        `Algorithm ${SigningAlgorithm} is incompatible with key spec ${key.spec}.`,
      );
    }
    const message = Buffer.from(Message, 'base64');
    if (message.length > MESSAGE_BYTES_MAX)
      throw new KmsRefusal('ValidationException', 'the message is longer than 4096 bytes');
    const wanted =
      SigningAlgorithm === 'ED25519_SHA_512' ? 'RAW' : key.spec === 'ECC_SECG_P256K1' ? 'DIGEST' : MessageType;
    if (MessageType !== wanted)
      throw new KmsRefusal('ValidationException', `MessageType must be ${wanted} for ${SigningAlgorithm}`);
    if (MessageType === 'DIGEST' && message.length !== 32) {
      throw new KmsRefusal('ValidationException', `Digest is invalid length for algorithm ${SigningAlgorithm}.`);
    }
    if (DryRun) throw new KmsRefusal('DryRunOperationException', 'The request would have succeeded.');
    const Signature = (faults.signWith ?? key).sign(message).toString('base64');
    return { KeyId: key.arn, Signature, SigningAlgorithm };
  }

  function publicKeyOf(body: unknown) {
    const { arn: KeyId, spec, usage: KeyUsage, publicKey } = findKey(parse(publicKeySchema, body).KeyId);
    const PublicKey = publicKey.toString('base64');
    return {
      KeyId,
      PublicKey,
      KeySpec: spec,
      CustomerMasterKeySpec: spec,
      KeyUsage,
      SigningAlgorithms: ALGORITHMS[spec],
    };
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    let [operation, isTry] = ['', false];
    try {
      const bytes = await readBody(request);
      const { headers, method, url } = request;
      if (method !== 'POST' || url !== '/') throw new KmsRefusal('UnknownOperationException', `${method} ${url}`);
      if (headers['content-type'] !== 'application/x-amz-json-1.1') {
        throw new KmsRefusal('UnknownOperationException', `content-type ${headers['content-type']}`);
      }
      operation = TARGET.exec(String(headers['x-amz-target']))?.[1] ?? '';
      checkSignature(headers, bytes, { region: REGION, credentials, nowMs: Date.now() });
      const body: unknown = readJson(bytes);
      isTry = (body as { DryRun?: boolean }).DryRun === true;
      if (faults.delayMs > 0) await sleep(faults.delayMs);
      const refused = faults.refuseAll ?? faults.refuseNext.shift();
      if (refused) throw new KmsRefusal(refused, 'a fault of the test');
      const result = operation === 'Sign' ? signIt(body) : operation === 'GetPublicKey' ? publicKeyOf(body) : null;
      if (result === null) throw new KmsRefusal('UnknownOperationException', operation);
      calls.push({ operation, isTry, outcome: 'ok' });
      return { status: 200, body: result };
    } catch (error) {
      const refusal = error instanceof KmsRefusal ? error : new KmsRefusal('KMSInternalException', String(error));
      calls.push({ operation, isTry, outcome: refusal.type });
      return { status: refusal.status, body: { __type: refusal.type, message: refusal.message } };
    }
  }

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const { port: opened } = server.address() as AddressInfo;

  return {
    endpoint: `http://127.0.0.1:${opened}`,
    credentials,
    faults,
    calls,
    /** Signatures that were made, not tries. */
    signatures: () => calls.filter((call) => call.operation === 'Sign' && !call.isTry && call.outcome === 'ok').length,
    createKey(spec: KeySpec): FakeKey {
      const key = makeKey(spec, { region: REGION, account: ACCOUNT });
      keys.set(key.arn, key);
      return key;
    },
    addAlias(name: string, key: FakeKey): string {
      const arn = `arn:aws:kms:${REGION}:${ACCOUNT}:alias/${name}`;
      keys.set(arn, key);
      return arn;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw new KmsRefusal(
    'ValidationException',
    read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
  );
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new KmsRefusal('SerializationException', 'the body is no JSON');
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new KmsRefusal('ValidationException', 'the body is too large');
  }
  return Buffer.concat(chunks);
}
