import { familyOf, type Family, type Network } from '../core/networks.ts';

/** Browsers inside of other apps, in which people open links from a chat: wallets cannot be reached from there. */
const IN_APP = /Discord|Telegram|Twitter|Instagram|FBAN|FBAV|FB_IAB|TikTok|musical_ly|Line\/|LinkedInApp|Snapchat/i;
const PHONE = /Android|iPhone|iPad|iPod/i;

export type ReaderBrowser = {
  isInApp: boolean;
  isPhone: boolean;
  /** Opens this page in the phone's own browser, where there is a way to ask for that. */
  browserUrl: string | null;
};

export function readBrowser(userAgent: string, pageUrl: string): ReaderBrowser {
  const isPhone = PHONE.test(userAgent);
  return { isInApp: IN_APP.test(userAgent), isPhone, browserUrl: toBrowserUrl(userAgent, pageUrl) };
}

function toBrowserUrl(userAgent: string, pageUrl: string): string | null {
  const { protocol, host, pathname, hash } = new URL(pageUrl);
  if (protocol !== 'https:') return null;
  // Android looks for the last `#`, so one before it stays in the address.
  if (/Android/i.test(userAgent)) return `intent://${host}${pathname}${hash}#Intent;scheme=https;end`;
  return /iPhone|iPad|iPod/i.test(userAgent) ? `x-safari-https://${host}${pathname}${hash}` : null;
}

export type WalletApp = { name: string; url: string };

/**
 * Links that open this page in the browser of a wallet's app, where the wallet is found like any other. Sources: the
 * wallets' own documents on deep links ("dapp", "cb_url", "browse").
 */
export function walletApps(pageUrl: string, networks: readonly Network[]): WalletApp[] {
  const { protocol, host, pathname, origin } = new URL(pageUrl);
  // Apps open only what everyone can reach.
  if (protocol !== 'https:') return [];
  const [page, ref] = [encodeURIComponent(pageUrl), encodeURIComponent(origin)];
  const phantom = { name: 'Phantom', url: `https://phantom.app/ul/browse/${page}?ref=${ref}` };
  const evm = [
    { name: 'MetaMask', url: `https://metamask.app.link/dapp/${host}${pathname}` },
    { name: 'Coinbase Wallet', url: `https://go.cb-w.com/dapp?cb_url=${page}` },
  ];
  const apps = { evm, svm: [] } as const satisfies Record<Family, readonly WalletApp[]>;
  const families = new Set(networks.map(familyOf));
  return [...[...families].flatMap((family) => apps[family]), phantom];
}
