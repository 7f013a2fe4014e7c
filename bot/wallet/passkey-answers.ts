import type { Context } from 'hono';
import { z } from 'zod';
import { line } from '../../core/view.ts';
import { payerAccountId } from '../../db/ledger/payer-account.ts';
import { addPasskey, endPasskey, openWithPasskey } from '../../db/wallets/passkeys.ts';
import { agreedWith, countingPasskeys, signatureIn } from '../passkeys/signed.ts';
import { challengesOf } from '../../identity/passkeys/challenges.ts';
import { welcomeVisitor } from '../web/visitor.ts';
import { noticePage } from './notice-page.ts';
import { titleOf } from '../shared/shown-person.ts';
import { spendableIn } from './purse.ts';
import { formOver, type Visit } from './visit.ts';

const form = z.object({
  for: z.enum(['open', 'add', 'end']),
  wallet: z.string().max(300).default(''),
  passkey: z.string().max(3_000).default(''),
  signed: z.string().max(4_000).default(''),
});
type Form = z.infer<typeof form>;

/** So that what is signed for one of them is good for no other. */
const purposeOf = ({ for: what, wallet, passkey }: Form): string => JSON.stringify([what, wallet, passkey]);

async function readForm(context: Context): Promise<Form | null> {
  return form.safeParse(await context.req.parseBody()).data ?? null;
}

/** What the browser's script is to ask for. Also for a browser without our cookie, which gets one to sign in with. */
export async function answerAsk(visit: Visit, context: Context, holderId: string | null): Promise<Response> {
  const { deps, site } = visit;
  const { passkeys, isSecure, random } = deps;
  const wanted = await readForm(context);
  if (passkeys === null || wanted === null) return context.json({ error: 'not_possible' }, 404);
  const secret = welcomeVisitor(context, { random, isSecure });
  const [challenge = ''] = challengesOf(secret, purposeOf(wanted), deps.clock.now());
  if (wanted.for === 'open') return context.json(await passkeys.requestOptions({ challenge, known: [] }));
  const wallet = holderId === null ? null : await spendableIn(visit, holderId, wanted.wallet);
  if (wallet === null || wallet.name === null) return context.json({ error: 'not_held' }, 403);
  const known = await countingPasskeys(deps, wallet.walletId);
  if (wanted.for === 'end') return context.json(await passkeys.requestOptions({ challenge, known }));
  const owner = { ownerId: payerAccountId(wallet.walletId), ownerName: titleOf(site, wallet.name) };
  return context.json(await passkeys.creationOptions({ challenge, ...owner, known }));
}

/** What this browser was asked for a moment ago; `secret` is its cookie's. */
function asked({ deps }: Visit, context: Context, wanted: Form) {
  const secret = welcomeVisitor(context, deps);
  return { answer: wanted.signed, challenges: challengesOf(secret, purposeOf(wanted), deps.clock.now()) };
}

export async function answerAddPasskey(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, show, refuse } = visit;
  const { store, clock, passkeys, texts } = deps;
  const wanted = await readForm(context);
  const wallet = await spendableIn(visit, holderId, wanted?.wallet);
  if (wanted === null || passkeys === null || wallet === null || wallet.name === null) return refuse(400, formOver);
  const { answer, challenges } = asked(visit, context, wanted);
  const made = await passkeys.readCreated(answer, challenges);
  if (made === null) return show(noticePage(texts, line`${texts.purse.passkeyFailed}`), 400);
  const added = await addPasskey(store, { ...made, walletId: wallet.walletId, holderId }, clock.now());
  if (added === 'too_many') return show(noticePage(texts, line`${texts.purse.passkeyMany}`), 400);
  return added === 'added' ? context.redirect('/purse', 303) : refuse(400, formOver);
}

/** Lets this browser in to what the passkey is for. It may spend at once. */
export async function answerOpenWithPasskey(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, show, refuse } = visit;
  const wanted = await readForm(context);
  if (wanted === null) return refuse(400, formOver);
  const { answer, challenges } = asked(visit, context, wanted);
  for (const challenge of challenges) {
    const use = await signatureIn(deps, answer, [challenge]);
    const isOpen =
      use !== null && (await openWithPasskey(deps.store, { ...use, challenge, holderId }, deps.clock.now()));
    if (isOpen) return context.redirect('/purse', 303);
  }
  return show(noticePage(deps.texts, line`${deps.texts.purse.passkeyFailed}`), 400);
}

/** Without a signature it goes on counting for a while; what does not count yet is gone at once. */
export async function answerEndPasskey(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, show, refuse } = visit;
  const { store, clock, texts } = deps;
  const wanted = await readForm(context);
  const wallet = await spendableIn(visit, holderId, wanted?.wallet);
  if (wanted === null || wallet === null) return refuse(400, formOver);
  const { walletId } = wallet;
  const agreed = wanted.signed === '' ? null : await agreedWith(deps, walletId, asked(visit, context, wanted));
  if (wanted.signed !== '' && agreed === null) return show(noticePage(texts, line`${texts.purse.passkeyFailed}`), 400);
  const ended = { walletId, holderId, id: wanted.passkey, signedBy: agreed?.id ?? null };
  return (await endPasskey(store, ended, clock.now())) ? context.redirect('/purse', 303) : refuse(400, formOver);
}
