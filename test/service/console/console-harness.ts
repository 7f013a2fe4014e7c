import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdminRole } from '../../../core/admins/admins.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { acceptInvite, inviteAdmin } from '../../../db/admins/admins.ts';
import { createPasskeys } from '../../../identity/passkeys/passkeys.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';
import { createConsole } from '../../../service/console/app.ts';
import { linkHashOf } from '../../../service/operator/admin.ts';
import { createAuthenticator } from '../../bot/wallet/authenticator.ts';
import { openBooks } from '../../support/books.ts';

export const SITE = 'https://console.test';

type Asked = { challenge: string };
export type Authenticator = ReturnType<typeof createAuthenticator>;
export type ConsoleHarness = Awaited<ReturnType<typeof createConsoleHarness>>;
export type Browser = ReturnType<ConsoleHarness['openBrowser']>;

/** The console without a socket over real books, and browsers that come to it. */
export async function createConsoleHarness({ site = SITE } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-console-'));
  const path = join(dir, 'books.sqlite');
  const books = await openBooks({ kind: 'sqlite', path });
  const { store, clock } = books;
  const config = parseConfig({ DATABASE_URL: `sqlite:${path}`, DATA_DIR: dir, ADMIN_PORT: '8403', ADMIN_URL: site });
  const passkeys = createPasskeys(site);
  if (passkeys === null) throw new Error(`${site} has no passkeys`);
  const failures: string[] = [];
  const now = () => clock.nowMs;
  const app = createConsole({
    config,
    store,
    publicUrl: site,
    passkeys,
    now,
    random: randomBytes,
    log: { warn: () => undefined, error: (about: object) => void failures.push(JSON.stringify(about)) },
    limits: createRateLimits(now),
    callerOf: (context) => context.req.header('x-test-caller') ?? 'somebody',
  });

  /** Keeps cookies as a browser does, and says by itself which page a form comes from. */
  function openBrowser({ caller = 'somebody', origin = site } = {}) {
    const jar = new Map<string, string>();
    const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    async function ask(address: string, init: RequestInit = {}): Promise<Response> {
      const headers = { cookie: cookie(), 'x-test-caller': caller, ...(init.headers as Record<string, string>) };
      const answer = await app.request(`${site}${address}`, { ...init, headers });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0/i.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
      return answer;
    }
    const get = (address: string) => ask(address);
    const post = (address: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      ask(address, { method: 'POST', headers: { origin, ...headers }, body: new URLSearchParams(fields) });
    /** What its page wants signed. */
    const asked = async (address: string): Promise<Asked> => optionsIn(await (await get(address)).text());
    const signIn = async (authenticator: Authenticator) =>
      post('/sign-in', { signed: authenticator.get(await asked('/sign-in')) });
    return { jar, get, post, asked, signIn };
  }

  const command = { name: 'admin invite', arguments: [], who: 'test' };
  async function invite(name: string, role: AdminRole): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    await inviteAdmin(store, { name, role, linkHash: linkHashOf(secret) }, command, now());
    return secret;
  }

  /** An admin with an authenticator, made as a browser makes it. */
  async function admit(name: string, role: AdminRole): Promise<Authenticator> {
    const authenticator = createAuthenticator(site);
    const made = await passkeys?.readCreated(
      authenticator.create({ challenge: Buffer.from('x').toString('base64url') }),
      ['x'],
    );
    if (made === null || made === undefined) throw new Error('the authenticator makes no passkey');
    await acceptInvite(store, linkHashOf(await invite(name, role)), made, now());
    return authenticator;
  }

  async function signedIn(name: string, role: AdminRole) {
    const authenticator = await admit(name, role);
    const browser = openBrowser({ caller: name });
    const answer = await browser.signIn(authenticator);
    if (answer.status !== 303) throw new Error(`${name} was not signed in: ${answer.status}`);
    return { ...browser, authenticator };
  }

  const actions = () => store.read.select().from(store.tables.operatorActions);
  const close = async () => {
    await books.close();
    if (failures.length > 0) throw new Error(`pages failed: ${failures.join('\n')}`);
    rmSync(dir, { recursive: true, force: true });
  };
  return { app, books, store, clock, config, openBrowser, invite, admit, signedIn, actions, close };
}

export function optionsIn(page: string): Asked {
  const text = (/data-options="([^"]+)"/.exec(page)?.[1] ?? 'null').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  const options = JSON.parse(text) as Asked | null;
  if (options === null) throw new Error(`nothing is asked for in ${page.slice(0, 2_000)}`);
  return options;
}
