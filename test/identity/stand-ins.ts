/**
 * Strict stand-ins for identity providers on loopback: the endpoints we use, in the providers' own formats, with their
 * refusals. Who exists is a function, so that tests can name a few people and local mode can have everybody exist.
 */
import { startStandIn as startServer, type Question, type Reply, type StandIn } from '../../local/identity/server.ts';

// The hub also stands in for the one of local mode.
export { startHubStandIn, type HubOptions, type HubVerification } from '../../local/identity/farcaster-hub.ts';
export type { StandIn } from '../../local/identity/server.ts';

/** What is looked up is asked with GET and nothing else. */
function startStandIn(answer: (question: Question) => Reply): Promise<StandIn> {
  return startServer((question) => (question.method === 'GET' ? answer(question) : { status: 405, body: {} }));
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
