/** AWS KMS as far as we use it, through its own client, which is loaded when the first key of it is used. */
import type { KMSClient, SignCommandInput } from '@aws-sdk/client-kms';
import { SignerAway, type SignerFault } from './away.ts';

/** A key of the service, and the address that it must have: another key under the same name signs nothing here. */
export type KmsReference = {
  /** An ARN, of a key or an alias: it names the region too. */
  keyId: string;
  address: string;
};

export type KmsKind = 'ECC_SECG_P256K1' | 'ECC_NIST_EDWARDS25519';

export type KmsOptions = {
  /** Absent: what the client finds by itself (environment, files, the role of the machine). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  endpoint?: string;
  /** For one signature, its repeats included. */
  timeoutMs?: number;
};

export type Kms = {
  /** `isTry`: the service checks all and signs nothing. */
  sign: (
    reference: KmsReference,
    kind: KmsKind,
    message: Uint8Array,
    options?: { isTry?: boolean },
  ) => Promise<Uint8Array>;
  /** What the service says of a key, as the DER of its public half. */
  publicKey: (keyId: string) => Promise<{ kind: string; usage: string; der: Uint8Array }>;
};

const ALGORITHMS = {
  ECC_SECG_P256K1: { SigningAlgorithm: 'ECDSA_SHA_256', MessageType: 'DIGEST' },
  ECC_NIST_EDWARDS25519: { SigningAlgorithm: 'ED25519_SHA_512', MessageType: 'RAW' },
} as const satisfies Record<KmsKind, Pick<SignCommandInput, 'SigningAlgorithm' | 'MessageType'>>;

const TIMEOUT_MS = 6_000;
const REQUEST_TIMEOUT_MS = 2_500;
const CONNECTION_TIMEOUT_MS = 1_500;
const ATTEMPTS_MAX = 3;

export function openKms(options: KmsOptions = {}): Kms {
  const clients = new Map<string, KMSClient>();
  const { timeoutMs = TIMEOUT_MS } = options;
  /** The library takes a while to load and some memory, which installations without it do not spend. */
  const load = () => import('@aws-sdk/client-kms');

  async function clientOf(keyId: string): Promise<KMSClient> {
    const region = regionOf(keyId);
    const known = clients.get(region);
    if (known !== undefined) return known;
    const { KMSClient: Client } = await load();
    const client = new Client({
      region,
      // It slows itself down once it is told that it asks too often.
      retryMode: 'adaptive',
      maxAttempts: ATTEMPTS_MAX,
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
      ...(options.credentials && { credentials: options.credentials }),
      ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
    });
    const first = clients.get(region) ?? client;
    clients.set(region, first);
    return first;
  }

  return {
    async sign({ keyId, address }, kind, message, { isTry = false } = {}) {
      const { SignCommand } = await load();
      const client = await clientOf(keyId);
      const request = { KeyId: keyId, Message: message, ...ALGORITHMS[kind], DryRun: isTry };
      try {
        const { Signature } = await client.send(new SignCommand(request), {
          abortSignal: AbortSignal.timeout(timeoutMs),
        });
        if (Signature === undefined) throw new SignerAway(address, 'malformed');
        return Signature;
      } catch (error) {
        // How the service says that it would have signed.
        if (isTry && nameOf(error) === 'DryRunOperationException') return new Uint8Array();
        throw error instanceof SignerAway ? error : toAway(address, error);
      }
    },
    async publicKey(keyId) {
      const { GetPublicKeyCommand } = await load();
      const client = await clientOf(keyId);
      try {
        const abortSignal = AbortSignal.timeout(timeoutMs);
        const found = await client.send(new GetPublicKeyCommand({ KeyId: keyId }), { abortSignal });
        const { PublicKey: der, KeySpec: kind = '', KeyUsage: usage = '' } = found;
        if (der === undefined) throw new SignerAway(keyId, 'malformed');
        return { kind, usage, der };
      } catch (error) {
        throw error instanceof SignerAway ? error : toAway(keyId, error);
      }
    },
  };
}

/** `arn:aws:kms:REGION:ACCOUNT:key/ID`. */
function regionOf(keyId: string): string {
  const [, , , region] = keyId.split(':');
  if (!region) throw new Error('a key of KMS is named by its ARN, which names its region');
  return region;
}

function toAway(address: string, error: unknown): SignerAway {
  const name = nameOf(error);
  return new SignerAway(address, faultOf(name, error), name);
}

const THROTTLES: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'LimitExceededException',
  'TooManyRequestsException',
]);
const TIMEOUTS: ReadonlySet<string> = new Set(['TimeoutError', 'AbortError', 'DependencyTimeoutException']);

/** An answer has a status; without one nothing came back. */
function faultOf(name: string, error: unknown): SignerFault {
  if (THROTTLES.has(name)) return 'throttled';
  if (TIMEOUTS.has(name)) return 'timeout';
  if (name === 'SyntaxError') return 'malformed';
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (status === undefined) return 'unreachable';
  return status >= 500 ? 'unreachable' : 'refused';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
