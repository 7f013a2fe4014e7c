import type { Language } from '../../core/languages.ts';

/**
 * Words that nobody needs who never had a wallet: none stands on a letter or a claim's page before an own address is
 * asked for. An e-mail address is an address too, so that word alone is none of them.
 */
export const TECHNICAL: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:wallets?|block ?chains?|chains?|networks?|gas|crypto\w*|tokens?|transactions?|on-chain|finality|final|seed|Base|Solana|Polygon)\b/giu,
  de: /(?:wallet|brieftasche|blockchain|netzwerk|krypto|transaktion|endgültig)|\b(?:tokens?|kette|gas|base|solana|polygon)\b/giu,
  es: /(?:billetera|monedero|cadena de bloques|criptom|transacci[oó]n)|(?<!\p{L})(?:wallets?|cartera|blockchain|cadena|red|gas|cripto|tokens?|definitivo|base|solana|polygon)(?!\p{L})/giu,
  pt: /(?:carteira|blockchain|criptom|transaç)|(?<!\p{L})(?:wallets?|cadeia|rede|gás|cripto|tokens?|definitivo|base|solana|polygon)(?!\p{L})/giu,
  ja: /ウォレット|財布|ブロックチェーン|チェーン|ネットワーク|ガス代|暗号|トークン|トランザクション|確定済|\b(?:base|solana|polygon)\b/giu,
};

/** The address of a wallet is called an address and nothing more; one of mail has a longer name. */
export const ADDRESS: Readonly<Record<Language, RegExp>> = {
  en: /(?<!e-?mail )\baddress(?:es)?\b/giu,
  de: /(?<!mail-)\bAdressen?\b/giu,
  es: /\bdirecci(?:ón|ones)\b(?! de correo)/giu,
  pt: /\bendereços?\b(?! de e-?mail)/giu,
  ja: /(?<!メール)アドレス/gu,
};

/** What stands in a text that its reader does not need. */
export function technicalIn(text: string, language: Language): string[] {
  return Array.from(text.matchAll(TECHNICAL[language]), ([found]) => found);
}

/** The same for a person who has told nobody of a wallet, and has been asked for none. */
export function technicalBeforeWallet(text: string, language: Language): string[] {
  return [...technicalIn(text, language), ...Array.from(text.matchAll(ADDRESS[language]), ([found]) => found)];
}

/** One for each language that must be noticed. */
export const PLANTED: Readonly<Record<Language, string>> = {
  en: 'The network has your address',
  de: 'Das Netzwerk hat deine Adresse',
  es: 'La red tiene tu dirección',
  pt: 'A rede tem o seu endereço',
  ja: 'ネットワークがあなたのアドレスを持っています',
};
