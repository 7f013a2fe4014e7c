import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Logger } from 'pino';
import { acceptInvite, findInvite } from '../../db/admins/admins.ts';
import { findAdminPasskey, openSession, type SignedIn } from '../../db/admins/sessions.ts';
import type { Store } from '../../db/store/store.ts';
import { challengesOf } from '../../identity/passkeys/challenges.ts';
import type { Passkeys } from '../../identity/passkeys/passkeys.ts';
import { alert } from '../../web/components/alert.ts';
import type { Html } from '../../web/html.ts';
import { linkHashOf } from '../operator/admin.ts';
import { hashOf, type Cookies } from './session.ts';

export type SignInParts = {
  store: Store;
  passkeys: Passkeys;
  now: () => number;
  log: Pick<Logger, 'warn'>;
  cookies: Cookies;
};

/** A page for somebody who is nobody yet. */
export type Step = { title: string; body: Html; status: 200 | 403 | 404 };
export type Next = Step | { goTo: string };

const FOR_SIGN_IN = 'console sign-in';
const forInvite = (linkHash: string): string => `console invite ${linkHash}`;

const NOT_SIGNED = 'That did not work. Nothing was opened; try again.';

export async function askToSignIn(
  { passkeys, cookies, now }: SignInParts,
  context: Context,
  problem: string | null = null,
): Promise<Step> {
  const [challenge = ''] = challengesOf(cookies.give(context, 'ask'), FOR_SIGN_IN, now());
  const options = await passkeys.requestOptions({ challenge, known: [] });
  const body = passkeyForm({ does: 'get', path: '/sign-in', options, label: 'Sign in with a passkey', problem });
  return { title: 'Sign in', body, status: problem === null ? 200 : 403 };
}

/**
 * Opens a session under a cookie that is made here and now. What was signed counts once, in the browser that was asked, and
 * only if its passkey is an admin's.
 */
export async function signIn(parts: SignInParts, context: Context, signed: string): Promise<Next> {
  const { store, cookies, now, log } = parts;
  const proven = await readSignature(parts, context, signed);
  const secret = cookies.give(context, 'session');
  const admin = proven === null ? null : await openSession(store, { ...proven, cookieHash: hashOf(secret) }, now());
  if (admin !== null) {
    cookies.drop(context, 'ask');
    return { goTo: '/' };
  }
  cookies.drop(context, 'session');
  log.warn('a sign-in to the console was refused');
  return askToSignIn(parts, context, NOT_SIGNED);
}

async function readSignature(
  { store, passkeys, cookies, now }: SignInParts,
  context: Context,
  signed: string,
): Promise<Omit<SignedIn, 'cookieHash'> | null> {
  const ask = cookies.read(context, 'ask');
  const id = passkeys.idIn(signed);
  const passkey = id === null ? null : await findAdminPasskey(store, id);
  if (ask === null || passkey === null) return null;
  for (const challenge of challengesOf(ask, FOR_SIGN_IN, now())) {
    const counter = await passkeys.readSigned(signed, [challenge], passkey);
    if (counter !== null) return { passkeyId: passkey.id, counter, challengeHash: hashOf(challenge) };
  }
  return null;
}

export async function showInvite(
  parts: SignInParts,
  context: Context,
  secret: string,
  problem: string | null = null,
): Promise<Step> {
  const { store, passkeys, cookies, now } = parts;
  const linkHash = linkHashOf(secret);
  const invited = await findInvite(store, linkHash, now());
  if (invited === null) return linkOver();
  const { name, role } = invited;
  const [challenge = ''] = challengesOf(cookies.give(context, 'ask'), forInvite(linkHash), now());
  const owner = { ownerId: `console:${name}`, ownerName: `${name} (console)` };
  const options = await passkeys.creationOptions({ challenge, ...owner, known: [] });
  const form = passkeyForm({ does: 'create', path: `/invite/${secret}`, options, label: 'Make a passkey', problem });
  const body = html`<p class="paper">You are invited as <strong>${name}</strong>, with the role <strong>${role}</strong>.</p>${form}`;
  return { title: 'Invitation', body, status: problem === null ? 200 : 403 };
}

export async function takeInvite(parts: SignInParts, context: Context, secret: string, signed: string): Promise<Next> {
  const { store, passkeys, cookies, now } = parts;
  const linkHash = linkHashOf(secret);
  const ask = cookies.read(context, 'ask');
  const challenges = ask === null ? [] : challengesOf(ask, forInvite(linkHash), now());
  const made = await passkeys.readCreated(signed, challenges);
  if (made === null) return showInvite(parts, context, secret, NOT_SIGNED);
  const admin = await acceptInvite(store, linkHash, made, now());
  cookies.drop(context, 'ask');
  // The passkey has to sign in by itself, as it will every day.
  return admin === null ? linkOver() : { goTo: '/sign-in' };
}

/** One answer for a link that was used, is over, or never was. */
function linkOver(): Step {
  const body = html`<p class="paper">This link does not work, or not any more. An owner, or the command “operator admin invite”, makes another.</p>`;
  return { title: 'Invitation', body, status: 404 };
}

type PasskeyForm = {
  does: 'get' | 'create';
  path: string;
  options: Awaited<ReturnType<Passkeys['requestOptions' | 'creationOptions']>>;
  label: string;
  problem: string | null;
};

/** The one step that needs a script: no form can ask an authenticator. */
function passkeyForm({ does, path, options, label, problem }: PasskeyForm): Html {
  return html`<div class="paper letter">
    ${alert(problem)}
    <form method="post" action="${path}" data-passkey="${does}" data-options="${JSON.stringify(options)}" class="needs-passkey">
      <p class="alert" role="alert" hidden>${NOT_SIGNED}</p>
      <input type="hidden" name="signed" value="">
      <button type="submit" class="button wide">${label}</button>
    </form>
    <p class="hint">It needs a browser with scripts and passkeys.</p>
  </div>`;
}
