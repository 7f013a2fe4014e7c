import { resolve } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import { networkTitle } from '../../core/networks.ts';

/** Which installation a command means, in one line: its mode, networks and database. */
export function placeText({ mode, networks, databaseUrl }: Pick<Config, 'mode' | 'networks' | 'databaseUrl'>): string {
  const titles = networks.map((network) => networkTitle(network, null)).join(', ');
  return `Mode ${mode}; networks ${titles}; database ${databaseText(databaseUrl)}`;
}

/** Without user and password. */
function databaseText(database: Config['databaseUrl']): string {
  switch (database.kind) {
    case 'sqlite':
      return `SQLite ${resolve(database.path)}`;
    case 'postgres':
      return URL.canParse(database.url) ? `PostgreSQL ${hostAndName(new URL(database.url))}` : 'PostgreSQL';
  }
}

const hostAndName = ({ host, pathname }: URL): string => `${host}${pathname}`;
