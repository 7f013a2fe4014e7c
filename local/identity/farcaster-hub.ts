/** A hub of Farcaster: the owners of names and the addresses they verified, in the forms of two makers. */
import { answerAboutPosts } from './farcaster-post-routes.ts';
import type { HubPosts } from './farcaster-posts.ts';
import { startStandIn, type Reply, type StandIn } from './server.ts';

export type HubVerification = {
  address: string;
  protocol: 'PROTOCOL_ETHEREUM' | 'PROTOCOL_SOLANA';
  chainId?: number;
  isContract?: boolean;
};

export type HubName = { fid: number; name: string };

export type HubOptions = {
  find: (name: string) => HubName | null;
  /** All names of an account. */
  findNames?: (fid: number) => readonly string[];
  findVerifications?: (fid: number) => readonly HubVerification[];
  /** Without any, the hub does not know the paths that lead to them. */
  posts?: HubPosts;
  /** Snapchain's errors, or those of the hubs before it. */
  dialect?: 'snapchain' | 'hubble';
  /** The Basic authorization that is asked for, if any. */
  authorization?: string;
  /** Fewer than asked for, so that a test sees pages. */
  pageSizeMax?: number;
};

/** `GET /v1/userNameProofByName`, `/v1/userNameProofsByFid`, `/v1/verificationsByFid`, and what leads to posts. */
export function startHubStandIn(options: HubOptions): Promise<StandIn> {
  return startStandIn(({ method, path, query, headers }) => {
    if (method !== 'GET') return { status: 405, body: {} };
    if (headers.authorization !== options.authorization) return { status: 401, body: { error: 'unauthorized' } };
    if (path === '/v1/userNameProofByName') return toNameAnswer(query, options);
    if (path === '/v1/userNameProofsByFid') return toNamesAnswer(query, options);
    if (path === '/v1/verificationsByFid') return toVerifications(query, options);
    const reply = options.posts && answerAboutPosts({ path, query }, options.posts, options.pageSizeMax);
    return reply ?? { status: 404, body: { error: 'not found' } };
  });
}

function toNameAnswer(query: URLSearchParams, { find, dialect = 'snapchain' }: HubOptions): Reply {
  const known = find(query.get('name') ?? '');
  if (known) return { status: 200, body: toProof(known) };
  if (dialect === 'hubble') {
    const details = 'NotFound: ';
    return { status: 400, body: { code: 5, details, metadata: { errcode: ['not_found'] } } };
  }
  const detail = `code: 'Some requested entity was not found', message: "Username proof not found"`;
  return { status: 400, body: { error: 'Failed to get username proof', error_detail: detail } };
}

function toNamesAnswer(query: URLSearchParams, { findNames }: HubOptions): Reply {
  const fid = Number(query.get('fid'));
  const names = findNames?.(fid) ?? [];
  return { status: 200, body: { proofs: names.map((name) => toProof({ fid, name })) } };
}

function toProof({ fid, name }: HubName): object {
  const type = name.endsWith('.eth') ? 'USERNAME_TYPE_ENS_L1' : 'USERNAME_TYPE_FNAME';
  const proof = { timestamp: 1_670_603_245, owner: `0x${'3a'.repeat(20)}`, signature: 'fo5OhBP/udlZ6f0=' };
  return { ...proof, name, fid, type };
}

function toVerifications(
  query: URLSearchParams,
  { findVerifications, dialect, pageSizeMax = 1_000 }: HubOptions,
): Reply {
  const fid = Number(query.get('fid'));
  const all = findVerifications?.(fid) ?? [];
  const start = Number(query.get('pageToken') ?? '0');
  const end = start + Math.min(Number(query.get('pageSize') ?? '1000'), pageSizeMax);
  const messages = all.slice(start, end).map((verification) => toMessage(fid, verification, dialect));
  return { status: 200, body: { messages, ...(end < all.length ? { nextPageToken: String(end) } : {}) } };
}

function toMessage(fid: number, verification: HubVerification, dialect: HubOptions['dialect']): object {
  const { address, protocol, chainId = 0, isContract = false } = verification;
  const kind = { [dialect === 'hubble' ? 'verificationType' : 'type']: isContract ? 1 : 0 };
  const proof = { claimSignature: 'tyxj1x1cYzhyxw==', blockHash: `0x${'d7'.repeat(32)}` };
  return {
    data: {
      type: 'MESSAGE_TYPE_VERIFICATION_ADD_ETH_ADDRESS',
      fid,
      timestamp: 73_244_540,
      network: 'FARCASTER_NETWORK_MAINNET',
      verificationAddAddressBody: { address, ...proof, ...kind, chainId, protocol },
    },
    hash: `0x${'a5'.repeat(20)}`,
    hashScheme: 'HASH_SCHEME_BLAKE3',
    signature: 'bln1zIZM4riB9IVBQ===',
    signatureScheme: 'SIGNATURE_SCHEME_ED25519',
    signer: `0x${'78'.repeat(32)}`,
  };
}
