import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { readEndpointAddress } from '../../../core/events/address.ts';
import type { PushProtocol } from '../../../core/events/push.ts';
import type { Events } from '../../environment/dependencies.ts';
import { Refusal } from '../refusal.ts';

/** Where a caller wants a task to be told, as it may be stored. */
export type WantedTarget = {
  url: string;
  /** The caller's name for it; null where it gives none. */
  configId: string | null;
  protocol: PushProtocol;
  token: string | null;
  authorization: string | null;
};

/** Both go into headers of ours. */
const TOKEN = /^[\x21-\x7e](?:[\x20-\x7e]{0,998}[\x21-\x7e])?$/;
const CREDENTIALS = /^[\x21-\x7e]{1,2000}$/;
const CONFIG_ID = /^[\x21-\x7e]{1,100}$/;

/** Schemes whose credentials are sent as they are. Of any other, a caller would think it protected and it were not. */
const SCHEMES = ['Bearer', 'Basic'] as const;

export function honoured(scheme: string): (typeof SCHEMES)[number] | null {
  return SCHEMES.find((known) => known.toLowerCase() === scheme.toLowerCase()) ?? null;
}

/** Throws Refusal. */
export function parseTarget(
  { url: text, id, token, authentication }: TaskPushNotificationConfig,
  protocol: PushProtocol,
  { allowsHttp }: Pick<Events, 'allowsHttp'>,
): WantedTarget {
  const url = readEndpointAddress(text, { allowsHttp });
  if (url === null) {
    const detail =
      'The address must be https, on port 443 or from 1024, without user name or fragment, of at most 500 characters.';
    throw refused('url', detail);
  }
  if (token !== '' && !TOKEN.test(token))
    throw refused('token', 'A token is printable ASCII, of at most 1,000 characters.');
  if (id !== '' && !CONFIG_ID.test(id)) throw refused('id', 'An id is printable ASCII, of at most 100 characters.');
  return {
    url,
    configId: id === '' ? null : id,
    protocol,
    token: token === '' ? null : token,
    authorization: toAuthorization(authentication),
  };
}

function toAuthorization(authentication: TaskPushNotificationConfig['authentication']): string | null {
  const { scheme = '', credentials = '' } = authentication ?? {};
  if (scheme === '' && credentials === '') return null;
  const known = honoured(scheme);
  if (known === null) {
    throw refused('authentication', `Only ${SCHEMES.join(' and ')} can be sent, with credentials; or give a token.`);
  }
  if (CREDENTIALS.test(credentials)) return `${known} ${credentials}`;
  throw refused('authentication', `${known} needs credentials: printable ASCII of at most 2,000 characters.`);
}

function refused(field: string, detail: string): Refusal {
  return new Refusal('invalid_params', { field, detail });
}
