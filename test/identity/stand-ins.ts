/**
 * Strict stand-ins for identity providers on loopback: the endpoints we use, in the providers' own formats, with their
 * refusals. Who exists is a function, so that tests can name a few people and local mode can have everybody exist.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';

export type StandIn = {
  url: string;
  /** Every request since the start, as its path with query. */
  requests: readonly string[];
  /** While it is down it answers 503 to everybody. */
  setDown: (isDown: boolean) => void;
  close: () => Promise<void>;
};

type Question = { path: string; query: URLSearchParams; headers: IncomingHttpHeaders };
type Reply = { status: number; body: object; headers?: Record<string, string> };

async function startStandIn(answer: (question: Question) => Reply): Promise<StandIn> {
  const requests: string[] = [];
  let isDown = false;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (isDown) return void response.writeHead(503).end();
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
    const { status, body, headers } =
      request.method === 'GET'
        ? answer({ path: decodeURIComponent(pathname), query: searchParams, headers: request.headers })
        : { status: 405, body: {}, headers: {} };
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`expected a port, found ${String(address)}`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    setDown: (next) => {
      isDown = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type XUser = { id: string; username: string; isSuspended?: boolean; createdAt?: string };

/**
 * `GET /2/users/by/username/:username`. Unknown and suspended users are a 200 that holds errors only; the age of an
 * account is there for who asks for it.
 */
export function startXStandIn(options: { appToken: string; find: (name: string) => XUser | null }): Promise<StandIn> {
  return startStandIn(({ path, query, headers }) => {
    if (headers.authorization !== `Bearer ${options.appToken}`) return xRefusal(401, 'Unauthorized');
    const name = /^\/2\/users\/by\/username\/([^/]+)$/.exec(path)?.[1];
    if (name === undefined) return xRefusal(404, 'Not Found');
    if (!/^[A-Za-z0-9_]{1,15}$/.test(name)) return xRefusal(400, 'Invalid Request');
    const user = options.find(name.toLowerCase());
    if (user && !user.isSuspended) {
      const asksAge = (query.get('user.fields') ?? '').split(',').includes('created_at');
      const age = asksAge ? { created_at: user.createdAt ?? '2013-12-14T04:35:55.000Z' } : {};
      return { status: 200, body: { data: { id: user.id, name: user.username, username: user.username, ...age } } };
    }
    const [title, detail] = user
      ? ['Forbidden', `User has been suspended: [${name}].`]
      : ['Not Found Error', `Could not find user with username: [${name}].`];
    const type = 'https://api.twitter.com/2/problems/resource-not-found';
    const about = { value: name, resource_id: name, parameter: 'username', resource_type: 'user' };
    return { status: 200, body: { errors: [{ ...about, title, detail, type }] } };
  });
}

function xRefusal(status: number, title: string): Reply {
  return { status, body: { title, type: 'about:blank', status, detail: title } };
}

export type GithubAccount = { id: number; login: string; type: 'User' | 'Organization' | 'Bot'; createdAt?: string };

export type GithubOptions = {
  /** Accepted values of the authorization header; without one, callers may ask anonymously. */
  authorizations: readonly string[];
  find: (login: string) => GithubAccount | null;
  /** The account that once had a login. */
  findRenamed?: (login: string) => GithubAccount | null;
};

/** `GET /users/:login` and `/user/:id`, where the first redirects a renamed login to. */
export function startGithubStandIn(options: GithubOptions): Promise<StandIn> {
  const renamed = new Map<string, GithubAccount>();
  return startStandIn(({ path, headers }) => {
    if (headers['user-agent'] === undefined) return githubRefusal(403, 'Request forbidden by administrative rules.');
    const { authorization } = headers;
    if (authorization !== undefined && !options.authorizations.includes(authorization)) {
      return githubRefusal(401, 'Bad credentials');
    }
    const [, login = ''] = /^\/users\/([^/]+)$/.exec(path) ?? [];
    const account = options.find(login.toLowerCase()) ?? renamed.get(path);
    if (account) return { status: 200, body: githubBody(account) };
    const moved = options.findRenamed?.(login.toLowerCase()) ?? null;
    if (moved === null) return githubRefusal(404, 'Not Found');
    const location = `/user/${moved.id}`;
    renamed.set(location, moved);
    const body = { message: 'Moved Permanently', url: location };
    return { status: 301, headers: { location }, body };
  });
}

function githubBody({ id, login, type, createdAt = '2011-01-25T18:44:36Z' }: GithubAccount): object {
  return {
    login,
    id,
    node_id: `U_${id}`,
    html_url: `https://github.com/${login}`,
    type,
    site_admin: false,
    name: null,
    created_at: createdAt,
  };
}

function githubRefusal(status: number, message: string): Reply {
  return { status, body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) } };
}

export type InstagramUser = { id: string; username: string };

/** `GET /v25.0/:account?fields=business_discovery.username(name){id,username}`: professional accounts only. */
export function startInstagramStandIn(options: {
  appToken: string;
  accountId: string;
  find: (name: string) => InstagramUser | null;
}): Promise<StandIn> {
  return startStandIn(({ path, query, headers }) => {
    if (headers.authorization !== `Bearer ${options.appToken}`) {
      return instagramRefusal(401, { message: 'Invalid OAuth access token.', code: 190 });
    }
    if (path !== `/v25.0/${options.accountId}`) {
      return instagramRefusal(404, { message: 'Unsupported get request.', code: 100, error_subcode: 33 });
    }
    const fields = /^business_discovery\.username\(([a-z0-9._]{1,30})\)\{id,username\}$/.exec(
      query.get('fields') ?? '',
    );
    if (!fields) return instagramRefusal(400, { message: 'Syntax error in fields', code: 2500 });
    const user = options.find(fields[1] ?? '');
    if (!user) return instagramRefusal(400, { message: 'Invalid user id', code: 110, error_subcode: 2_207_013 });
    return { status: 200, body: { business_discovery: user, id: options.accountId } };
  });
}

function instagramRefusal(status: number, error: object): Reply {
  return { status, body: { error: { type: 'OAuthException', fbtrace_id: 'A1', ...error } } };
}

export type HubVerification = {
  address: string;
  protocol: 'PROTOCOL_ETHEREUM' | 'PROTOCOL_SOLANA';
  chainId?: number;
  isContract?: boolean;
};

export type HubOptions = {
  find: (name: string) => { fid: number; name: string } | null;
  findVerifications?: (fid: number) => readonly HubVerification[];
  /** Snapchain's errors, or those of the hubs before it. */
  dialect?: 'snapchain' | 'hubble';
  /** The Basic authorization that is asked for, if any. */
  authorization?: string;
  /** Fewer than asked for, so that a test sees pages. */
  pageSizeMax?: number;
};

/** `GET /v1/userNameProofByName` and `/v1/verificationsByFid`. */
export function startHubStandIn(options: HubOptions): Promise<StandIn> {
  return startStandIn(({ path, query, headers }) => {
    if (headers.authorization !== options.authorization) return { status: 401, body: { error: 'unauthorized' } };
    if (path === '/v1/userNameProofByName') return toProof(query, options);
    if (path === '/v1/verificationsByFid') return toVerifications(query, options);
    return { status: 404, body: { error: 'not found' } };
  });
}

function toProof(query: URLSearchParams, { find, dialect = 'snapchain' }: HubOptions): Reply {
  const known = find(query.get('name') ?? '');
  if (known) {
    const type = known.name.endsWith('.eth') ? 'USERNAME_TYPE_ENS_L1' : 'USERNAME_TYPE_FNAME';
    const proof = { timestamp: 1_670_603_245, owner: `0x${'3a'.repeat(20)}`, signature: 'fo5OhBP/udlZ6f0=' };
    return { status: 200, body: { ...proof, name: known.name, fid: known.fid, type } };
  }
  if (dialect === 'hubble') {
    const details = 'NotFound: ';
    return { status: 400, body: { code: 5, details, metadata: { errcode: ['not_found'] } } };
  }
  const detail = `code: 'Some requested entity was not found', message: "Username proof not found"`;
  return { status: 400, body: { error: 'Failed to get username proof', error_detail: detail } };
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
