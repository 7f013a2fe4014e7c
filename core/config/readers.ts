/** Reads one value of the environment. Each reader names what it allows; no value is ever adjusted. */
import { parseRate } from '../grammar/rates.ts';
import { findHidden } from '../characters.ts';
import { parseDecimalUsdc, type MicroUsdc } from '../money.ts';
import { findPlatform, PLATFORM_NAMES, type Platform } from '../platforms/platforms.ts';

export type Variable<T> = {
  /** What is allowed, as the end of "allowed: …". */
  allowed: string;
  /** Undefined: the text is refused. */
  read: (text: string) => T | undefined;
  /** Never shown, not even when it is wrong. */
  isSecret?: true;
};

export function secret<T>(variable: Variable<T>): Variable<T> {
  return { ...variable, isSecret: true };
}

export function choice<const T extends string>(choices: readonly T[]): Variable<T> {
  const read = (text: string) => choices.find((candidate) => candidate === text);
  return { allowed: choices.join(', '), read };
}

export function wholeNumber(min: number, max: number): Variable<number> {
  const read = (text: string) => {
    const value = /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return { allowed: `a whole number from ${min} to ${max}`, read };
}

/** `max` in whole USDC. */
export function usdc(max: number): Variable<MicroUsdc> {
  const read = (text: string) => {
    const amount = parseDecimalUsdc(text);
    return amount !== null && amount <= BigInt(max) * 1_000_000n ? amount : undefined;
  };
  return { allowed: `an amount of USDC from 0 to ${max} with at most 6 decimals, such as 0.05`, read };
}

/** A sum of a network's own coin, in billionths: gwei, or lamports. */
export const coin: Variable<bigint> = {
  allowed: 'a number of coins with at most 9 decimals, such as 0.05',
  read: (text) => {
    const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
    return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(9, '0'));
  },
};

export function plainText(lengthMax: number): Variable<string> {
  const read = (text: string) => (text.length <= lengthMax && findHidden(text) === null ? text : undefined);
  return { allowed: `1 to ${lengthMax} characters, all of them visible`, read };
}

export function pattern(regex: RegExp, allowed: string): Variable<string> {
  return { allowed, read: (text) => (regex.test(text) ? text : undefined) };
}

/** Returns the text as configured, not as the URL parser rewrites it. */
export function url(...schemes: readonly string[]): Variable<string> {
  const allowed = `a URL that starts with ${schemes.map((scheme) => `${scheme}:`).join(' or ')}`;
  const read = (text: string) => {
    if (findHidden(text) !== null || text.includes(' ') || !URL.canParse(text)) return undefined;
    const { protocol, hostname } = new URL(text);
    const isComplete = protocol === 'mailto:' || protocol.startsWith('postgres') || hostname !== '';
    return isComplete && schemes.includes(protocol.slice(0, -1)) ? text : undefined;
  };
  return { allowed, read };
}

/** Scheme, host and port: links and cookies of the service need the root of a host. */
export const origin: Variable<string> = {
  allowed: 'an http or https address without a path, such as https://pay.example.com',
  read: (text) => {
    const value = url('http', 'https').read(text);
    if (value === undefined) return undefined;
    return [new URL(value).origin, `${new URL(value).origin}/`].includes(value) ? new URL(value).origin : undefined;
  },
};

export function list<T>(item: Variable<T>, itemsMax: number): Variable<readonly T[]> {
  const read = (text: string) => {
    const parts = text.split(',').map((part) => part.trim());
    const items = parts.map((part) => (part === '' ? undefined : item.read(part)));
    const isValid = items.length <= itemsMax && !items.includes(undefined);
    return isValid ? [...new Set(items.filter((value) => value !== undefined))] : undefined;
  };
  return { allowed: `a comma-separated list (at most ${itemsMax}) of: ${item.allowed}`, read };
}

export const rate: Variable<readonly [currency: string, worth: MicroUsdc]> = {
  allowed: 'a currency and what one of it is worth in USDC, such as EUR=1.08',
  read: (text) => parseRate(text) ?? undefined,
};

export const platform: Variable<Platform> = {
  allowed: PLATFORM_NAMES.join(', '),
  read: (text) => findPlatform(text) ?? undefined,
};

const IP_V4 = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/;
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

function isIp(text: string): boolean {
  return IP_V4.test(text) || (/^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]/`));
}

export const listenHost: Variable<string> = {
  allowed: 'an IP address or a host name, such as 127.0.0.1 or 0.0.0.0',
  read: (text) => (isIp(text) || HOST_NAME.test(text) ? text : undefined),
};

/** True only for what cannot leave this machine: a name that resolves to loopback today does not count. */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || (IP_V4.test(bare) && bare.startsWith('127.'));
}

export const ipRange: Variable<string> = {
  allowed: 'an IP address or a range, such as 10.0.0.0/8',
  read: (text) => {
    const [, ip = '', bits = '0'] = /^([^/]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
    return isIp(ip) && Number(bits) <= (ip.includes(':') ? 128 : 32) ? text : undefined;
  },
};

export const dnsServer: Variable<string> = {
  allowed: 'an IP address with or without a port, such as 9.9.9.9 or 127.0.0.1:5353',
  read: (text) => {
    const [, ip = text, port = '53'] = /^(?:\[(?=.*:))?([^[\]]+?)\]?:([0-9]{1,5})$/.exec(text) ?? [];
    if (isIp(text)) return text;
    return isIp(ip) && Number(port) >= 1 && Number(port) <= 65_535 ? text : undefined;
  },
};

/** As the standard of OpenTelemetry has it: the value may be percent-encoded. */
export const httpHeader: Variable<readonly [name: string, value: string]> = {
  allowed: 'a name and a value, such as authorization=Bearer%20abc',
  read: (text) => {
    const [, name, encoded] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\x21-\x7E]{1,4096})$/.exec(text) ?? [];
    if (name === undefined || encoded === undefined || /%(?![0-9a-fA-F]{2})/.test(encoded)) return undefined;
    try {
      const value = decodeURIComponent(encoded);
      return /^[\x20-\x7E]+$/.test(value) ? [name, value] : undefined;
    } catch {
      // Not UTF-8, as `%ff`.
      return undefined;
    }
  },
};

export const share: Variable<number> = {
  allowed: 'a number from 0 to 1, such as 0.1',
  read: (text) => (/^(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)$/.test(text) ? Number(text) : undefined),
};
