/** People of the walk: those who give in chats, and those who collect, each by the proof of their platform. */
import { randomBytes } from 'node:crypto';
import type { Address } from 'viem';
import { microUsdc } from '../../core/money.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { createVisitor, type Body, type Visitor } from '../api/claims/visitor.ts';
import type { ChatDriver, Person, Scene, Shown } from '../bot/scenarios/drivers/chat-driver.ts';
import { submit } from '../identity/proofs/submit.ts';
import { BASE_URL, type Surroundings } from './surroundings.ts';

const PATIENCE_MS = 600_000;
const DEPOSIT = microUsdc(30_000_000n);

/** `eventually` waits six times as long, at most two minutes and a half. */
const SOON_MS = 2_500;

export async function hears(scene: Scene, person: Person, text: RegExp, withinMs = PATIENCE_MS): Promise<Shown> {
  return eventually(async () => {
    const found = scene.shown(person).findLast((message) => text.test(message.text));
    if (found) return found;
    const seen = JSON.stringify(scene.shown(person).map((one) => one.text));
    throw new Error(`${person.name} sees no ${text}, but ${seen}`);
  }, withinMs);
}

/** Asks the bot where to send money, sends it there on the chain, and waits until it is seen. */
export async function openWithMoney(driver: ChatDriver, { sendUsdc }: Surroundings): Promise<Scene> {
  const scene = await driver.open();
  const { alice } = scene;
  await scene.say(alice, '/deposit', { where: 'direct' });
  const card = await hears(scene, alice, /0x[0-9a-fA-F]{40}/);
  const [address = ''] = /0x[0-9a-fA-F]{40}/.exec(card.text) ?? [];
  await sendUsdc(address as Address, DEPOSIT);
  await eventually(async () => {
    await scene.say(alice, '/balance', { where: 'direct' });
    await hears(scene, alice, /^You have 30\.00 USDC/, SOON_MS);
  }, PATIENCE_MS);
  return scene;
}

/**
 * Answers what the giver reads at its end. A name that was never tipped before is asked about first. In private, unless
 * someone of the group is mentioned: there several tips may share a message.
 */
export async function tip(scene: Scene, words: string, mentioning: readonly Person[] = []): Promise<string> {
  const { alice } = scene;
  const before = new Set(scene.shown(alice).map(({ id }) => id));
  const where = mentioning.length === 0 ? 'direct' : 'group';
  await scene.say(alice, `/tip ${words}`, { mentioning, where });
  const pressed = new Set<string>();
  return eventually(async () => {
    const fresh = scene.shown(alice).filter(({ id }) => !before.has(id));
    const end = fresh.findLast(({ text }) => /^Sent |is waiting for|received/.test(text));
    if (end !== undefined) return end.text.split('\n')[0] ?? '';
    for (const card of fresh) {
      const label = card.buttons.find((text) => text.startsWith('Send '));
      if (label !== undefined && !pressed.has(card.id)) await scene.press(alice, card, label);
      if (label !== undefined) pressed.add(card.id);
    }
    throw new Error(`no end of the tip, but ${JSON.stringify(fresh.map(({ text }) => text))}`);
  }, PATIENCE_MS);
}

/** Someone whom the bot knows proves nothing. */
export async function keepInChat(scene: Scene, person: Person): Promise<string> {
  await scene.say(person, '/claim');
  const card = await hears(scene, person, /USDC waits for you\./);
  await scene.press(person, card, card.buttons.find((label) => label.startsWith('Keep')) ?? '');
  return (await hears(scene, person, /^Done\./)).text.split('\n')[0] ?? '';
}

type Opened = Body['data'];
type Claimer = { visitor: Visitor; name: string; claim: Opened; around: Surroundings };
type Proof = (claimer: Claimer) => Promise<object>;

const signIn: Proof = async ({ visitor, name, claim }) => {
  const back = await submit(claim.oauth?.url ?? '', { username: name, decision: 'allow' });
  const { pathname, search } = new URL(back.headers.get('location') ?? '');
  await visitor.ask(pathname + search, { redirect: 'manual' });
  return {};
};

/** How a person of each platform proves the name; the chats have buttons of their own. */
export const PROOFS: Readonly<Record<string, { name: string; prove: Proof }>> = {
  x: { name: 'alice', prove: signIn },
  github: { name: 'alice', prove: signIn },
  instagram: { name: 'alice', prove: signIn },
  farcaster: {
    name: 'alice',
    prove: async ({ claim, name }) => {
      await submit(claim.siwf?.url ?? '', { name });
      return {};
    },
  },
  email: {
    name: 'alice@mail.example.com',
    prove: async ({ name, around }) => {
      const code = await eventually(async () => {
        const found = /\d{4} \d{4}/.exec(await around.mailsTo(name))?.[0];
        if (found === undefined) throw new Error('the mail with the code has not come');
        return found;
      }, PATIENCE_MS);
      return { code };
    },
  },
  web: {
    name: 'shop.example.com',
    prove: async ({ claim, name, around }) => {
      around.publish(name, claim.domain?.line ?? '');
      return {};
    },
  },
};

/** From the claim to the money, which arrives at an address of its own. */
export async function collect(platform: string, around: Surroundings): Promise<{ address: string; text: string }> {
  const row = PROOFS[platform];
  if (row === undefined) throw new Error(`nobody of the walk is on ${platform}`);
  const { name, prove } = row;
  const address = `0x${randomBytes(20).toString('hex')}`;
  const visitor = createVisitor({ request: (path, init) => fetch(new URL(path, BASE_URL), init) });
  const claim = await visitor.opened(platform, name, { base: address });
  const proof = await prove({ visitor, name, claim, around });
  const proven = await eventually(async () => {
    const { status, body } = await visitor.prove(claim.claim_id, proof);
    if (status !== 200 || body.data.confirm_token === null)
      throw new Error(`the proof was answered ${status} ${JSON.stringify(body)}`);
    return body.data;
  }, PATIENCE_MS);
  await visitor.confirm(claim.claim_id, proven.confirm_token);
  return eventually(async () => {
    const { body } = await visitor.read(claim.claim_id);
    if (body.data.status !== 'paid') throw new Error(`the claim is ${JSON.stringify(body.data)}`);
    return { address, text: `${body.data.total} USDC for ${body.data.name} arrived at ${address}` };
  }, PATIENCE_MS);
}
