import { Hono, type Context, type MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { ApiEnv } from '../../api/http/env.ts';
import type { Config } from '../../core/config/config.ts';
import type { Store } from '../../db/store/store.ts';
import type { Passkeys } from '../../identity/passkeys/passkeys.ts';
import type { RateLimits } from '../../queue/rate-limiter.ts';
import { createAssets } from '../../web/assets.ts';
import { withPrivatePages } from '../../web/headers.ts';
import { onlyOwnForm, smallForm } from '../../web/own-page.ts';
import { createAnswers, NO_PAGE, readForm, type Answers } from './answers.ts';
import { createCookies, signOut } from './session.ts';
import { askToSignIn, showInvite, signIn, takeInvite, type Next, type SignInParts } from './sign-in.ts';
import { mountRoutes } from './work.ts';

export type ConsoleDeps = {
  config: Config;
  store: Store;
  /** Where people reach it: passkeys, forms and cookies belong to this address. */
  publicUrl: string;
  passkeys: Passkeys;
  now: () => number;
  random: (count: number) => Uint8Array;
  log: Pick<Logger, 'warn' | 'error'>;
  limits: Pick<RateLimits, 'perMinute'>;
  /** Whose tries are counted together. */
  callerOf: (context: Context<ApiEnv>) => string;
};

/** Of one caller: sign-ins, and looks at invitations. */
const TRIES_PER_MINUTE = 10;

/** Nothing is answered without a session but the sign-in, invitations, and what pages load. */
export function createConsole(deps: ConsoleDeps): Hono<ApiEnv> {
  const { config, publicUrl, limits, callerOf, log } = deps;
  const app = new Hono<ApiEnv>();
  const assets = createAssets('/assets');
  const answers = createAnswers(config, publicUrl, assets);
  const { refuse } = answers;
  const parts = { ...deps, answers, cookies: createCookies(publicUrl, deps.random) };
  const tries = limits.perMinute('console sign-in', TRIES_PER_MINUTE);

  app.use('*', withPrivatePages);
  app.get('/assets/:version/:name', (c) => assets.answer(c) ?? refuse(404, NO_PAGE)(c));
  const foreign = refuse(403, 'This form was not sent by a page of this console. Open it anew.');
  app.post('*', onlyOwnForm({ publicUrl }, foreign), smallForm(refuse(413, 'This form is too long.')));
  const counted: MiddlewareHandler<ApiEnv> = async (c, next) => {
    const isCounted = c.req.path.startsWith('/invite/') || c.req.method === 'POST';
    if (!isCounted || tries.allows(callerOf(c))) return next();
    return refuse(429, 'Too many tries. Wait a minute.')(c);
  };
  app.use('/sign-in', counted);
  app.use('/invite/*', counted);
  mountSignIn(app, parts, answers);
  mountRoutes(app, parts);
  app.notFound(refuse(404, NO_PAGE));
  app.onError((error, c) => {
    log.error({ err: error }, 'a page of the console failed');
    return refuse(500, 'Something went wrong here; the log of the service says what.')(c);
  });
  return app;
}

function mountSignIn(app: Hono<ApiEnv>, parts: SignInParts, { tell }: Answers): void {
  const go = (c: Context, next: Next) =>
    'goTo' in next ? c.redirect(next.goTo, 303) : tell(c, null, { ...next, scripts: ['passkey.js'] }, next.status);
  const signedIn = async (c: Context) => (await readForm(c))('signed');
  app.get('/sign-in', async (c) => go(c, await askToSignIn(parts, c)));
  app.post('/sign-in', async (c) => go(c, await signIn(parts, c, await signedIn(c))));
  app.get('/invite/:secret', async (c) => go(c, await showInvite(parts, c, c.req.param('secret'))));
  app.post('/invite/:secret', async (c) => go(c, await takeInvite(parts, c, c.req.param('secret'), await signedIn(c))));
  app.post('/sign-out', async (c) => {
    await signOut(parts, c);
    return c.redirect('/sign-in', 303);
  });
}
