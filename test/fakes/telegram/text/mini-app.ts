/**
 * Links that open a Mini App (core.telegram.org/api/links: direct, main and attachment menu Mini App links). Telegram
 * takes them. This bot sends none, so here they are refused, and every test with this Telegram would see one.
 */
import type { MessageEntity } from 'grammy/types';
import { badRequest } from '../refusal.ts';

const HOSTS = ['t.me', 'telegram.me', 'telegram.dog'];
const OPENING = ['startapp', 'startattach', 'attach', 'appname'];
/** What stands there in the place of a bot's name, and opens no app. */
const NO_BOTS = ['s', 'c', 'share', 'joinchat', 'addstickers', 'addemoji', 'addlist'];

export function refuseMiniApp(link: string): void {
  if (isMiniApp(link)) throw badRequest(`'${link}' opens a Mini App, and this bot sends none`);
}

/** What clients make a link of. In code there is none. */
export function refuseMiniAppsIn(text: string, entities: readonly MessageEntity[]): void {
  for (const entity of entities) {
    if (entity.type === 'text_link') refuseMiniApp(entity.url);
    if (entity.type === 'url') refuseMiniApp(text.slice(entity.offset, entity.offset + entity.length));
  }
}

function isMiniApp(link: string): boolean {
  const whole = /^[a-z]+:/i.test(link) ? link : `https://${link}`;
  if (!URL.canParse(whole)) return false;
  const { protocol, hostname, pathname, searchParams } = new URL(whole);
  const host = HOSTS.find((known) => hostname === known || hostname.endsWith(`.${known}`));
  if (protocol !== 'tg:' && host === undefined) return false;
  if (OPENING.some((name) => searchParams.has(name))) return true;
  if (protocol === 'tg:') return false;
  const path = pathname.split('/').filter((part) => part !== '');
  // name.t.me/app is t.me/name/app.
  const [bot = '', app = ''] = hostname === host || hostname.startsWith('www.') ? path : [hostname, ...path];
  return /^[a-z]\w*$/i.test(app) && !NO_BOTS.includes(bot);
}
