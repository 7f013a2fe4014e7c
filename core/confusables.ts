/**
 * Letters that look like ASCII ones, with their Unicode names: the part of Unicode's confusables list (UTS #39) that is
 * common in forged names. Handles refuse letters that are missing here too, with a general text; in domains a missing
 * row lets a look-alike label through, so add rather than remove.
 * Each row: the character, the ASCII it looks like, its Unicode name. Text has to be NFKC already.
 */
export type Confusable = { like: string; name: string };

// prettier-ignore
const ROWS: readonly (readonly [character: string, like: string, name: string])[] = [
  ['\u0430', 'a', 'CYRILLIC SMALL LETTER A'], ['\u0435', 'e', 'CYRILLIC SMALL LETTER IE'],
  ['\u043E', 'o', 'CYRILLIC SMALL LETTER O'], ['\u0440', 'p', 'CYRILLIC SMALL LETTER ER'],
  ['\u0441', 'c', 'CYRILLIC SMALL LETTER ES'], ['\u0443', 'y', 'CYRILLIC SMALL LETTER U'],
  ['\u0445', 'x', 'CYRILLIC SMALL LETTER HA'], ['\u0433', 'r', 'CYRILLIC SMALL LETTER GHE'],
  ['\u043A', 'k', 'CYRILLIC SMALL LETTER KA'], ['\u043C', 'm', 'CYRILLIC SMALL LETTER EM'],
  ['\u0442', 't', 'CYRILLIC SMALL LETTER TE'], ['\u043F', 'n', 'CYRILLIC SMALL LETTER PE'],
  ['\u0448', 'w', 'CYRILLIC SMALL LETTER SHA'], ['\u044C', 'b', 'CYRILLIC SMALL LETTER SOFT SIGN'],
  ['\u0455', 's', 'CYRILLIC SMALL LETTER DZE'],
  ['\u0456', 'i', 'CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I'],
  ['\u0458', 'j', 'CYRILLIC SMALL LETTER JE'], ['\u0475', 'v', 'CYRILLIC SMALL LETTER IZHITSA'],
  ['\u04AF', 'y', 'CYRILLIC SMALL LETTER STRAIGHT U'], ['\u04BB', 'h', 'CYRILLIC SMALL LETTER SHHA'],
  ['\u04CF', 'l', 'CYRILLIC SMALL LETTER PALOCHKA'], ['\u0501', 'd', 'CYRILLIC SMALL LETTER KOMI DE'],
  ['\u051B', 'q', 'CYRILLIC SMALL LETTER QA'], ['\u051D', 'w', 'CYRILLIC SMALL LETTER WE'],
  ['\u0261', 'g', 'LATIN SMALL LETTER SCRIPT G'], ['\u0251', 'a', 'LATIN SMALL LETTER ALPHA'],
  ['\u0131', 'i', 'LATIN SMALL LETTER DOTLESS I'], ['\u0269', 'i', 'LATIN SMALL LETTER IOTA'],
  ['\u026A', 'i', 'LATIN LETTER SMALL CAPITAL I'], ['\u029F', 'l', 'LATIN LETTER SMALL CAPITAL L'],
  ['\u028B', 'v', 'LATIN SMALL LETTER V WITH HOOK'], ['\u1D0F', 'o', 'LATIN LETTER SMALL CAPITAL O'],
  ['\u01C0', 'l', 'LATIN LETTER DENTAL CLICK'],
  ['\u0410', 'A', 'CYRILLIC CAPITAL LETTER A'], ['\u0412', 'B', 'CYRILLIC CAPITAL LETTER VE'],
  ['\u0415', 'E', 'CYRILLIC CAPITAL LETTER IE'], ['\u0417', '3', 'CYRILLIC CAPITAL LETTER ZE'],
  ['\u041A', 'K', 'CYRILLIC CAPITAL LETTER KA'], ['\u041C', 'M', 'CYRILLIC CAPITAL LETTER EM'],
  ['\u041D', 'H', 'CYRILLIC CAPITAL LETTER EN'], ['\u041E', 'O', 'CYRILLIC CAPITAL LETTER O'],
  ['\u0420', 'P', 'CYRILLIC CAPITAL LETTER ER'], ['\u0421', 'C', 'CYRILLIC CAPITAL LETTER ES'],
  ['\u0422', 'T', 'CYRILLIC CAPITAL LETTER TE'], ['\u0423', 'Y', 'CYRILLIC CAPITAL LETTER U'],
  ['\u0425', 'X', 'CYRILLIC CAPITAL LETTER HA'], ['\u0405', 'S', 'CYRILLIC CAPITAL LETTER DZE'],
  ['\u0406', 'I', 'CYRILLIC CAPITAL LETTER BYELORUSSIAN-UKRAINIAN I'],
  ['\u0408', 'J', 'CYRILLIC CAPITAL LETTER JE'], ['\u04C0', 'I', 'CYRILLIC LETTER PALOCHKA'],
  ['\u03B1', 'a', 'GREEK SMALL LETTER ALPHA'], ['\u03B5', 'e', 'GREEK SMALL LETTER EPSILON'],
  ['\u03B7', 'n', 'GREEK SMALL LETTER ETA'], ['\u03B9', 'i', 'GREEK SMALL LETTER IOTA'],
  ['\u03BA', 'k', 'GREEK SMALL LETTER KAPPA'], ['\u03BD', 'v', 'GREEK SMALL LETTER NU'],
  ['\u03BF', 'o', 'GREEK SMALL LETTER OMICRON'], ['\u03C1', 'p', 'GREEK SMALL LETTER RHO'],
  ['\u03C3', 'o', 'GREEK SMALL LETTER SIGMA'], ['\u03C4', 't', 'GREEK SMALL LETTER TAU'],
  ['\u03C5', 'u', 'GREEK SMALL LETTER UPSILON'], ['\u03C7', 'x', 'GREEK SMALL LETTER CHI'],
  ['\u03C9', 'w', 'GREEK SMALL LETTER OMEGA'], ['\u03B3', 'y', 'GREEK SMALL LETTER GAMMA'],
  ['\u03F3', 'j', 'GREEK LETTER YOT'],
  ['\u0391', 'A', 'GREEK CAPITAL LETTER ALPHA'], ['\u0392', 'B', 'GREEK CAPITAL LETTER BETA'],
  ['\u0395', 'E', 'GREEK CAPITAL LETTER EPSILON'], ['\u0396', 'Z', 'GREEK CAPITAL LETTER ZETA'],
  ['\u0397', 'H', 'GREEK CAPITAL LETTER ETA'], ['\u0399', 'I', 'GREEK CAPITAL LETTER IOTA'],
  ['\u039A', 'K', 'GREEK CAPITAL LETTER KAPPA'], ['\u039C', 'M', 'GREEK CAPITAL LETTER MU'],
  ['\u039D', 'N', 'GREEK CAPITAL LETTER NU'], ['\u039F', 'O', 'GREEK CAPITAL LETTER OMICRON'],
  ['\u03A1', 'P', 'GREEK CAPITAL LETTER RHO'], ['\u03A4', 'T', 'GREEK CAPITAL LETTER TAU'],
  ['\u03A5', 'Y', 'GREEK CAPITAL LETTER UPSILON'], ['\u03A7', 'X', 'GREEK CAPITAL LETTER CHI'],
  ['\u0561', 'w', 'ARMENIAN SMALL LETTER AYB'], ['\u0563', 'q', 'ARMENIAN SMALL LETTER GIM'],
  ['\u0566', 'q', 'ARMENIAN SMALL LETTER ZA'], ['\u0570', 'h', 'ARMENIAN SMALL LETTER HO'],
  ['\u0578', 'n', 'ARMENIAN SMALL LETTER VO'], ['\u057C', 'n', 'ARMENIAN SMALL LETTER RA'],
  ['\u057D', 'u', 'ARMENIAN SMALL LETTER SEH'], ['\u0581', 'g', 'ARMENIAN SMALL LETTER CO'],
  ['\u0585', 'o', 'ARMENIAN SMALL LETTER OH'],
  ['\u2010', '-', 'HYPHEN'], ['\u2012', '-', 'FIGURE DASH'], ['\u2013', '-', 'EN DASH'], ['\u2014', '-', 'EM DASH'],
  ['\u2015', '-', 'HORIZONTAL BAR'], ['\u2212', '-', 'MINUS SIGN'], ['\u30FC', '-', 'KATAKANA-HIRAGANA PROLONGED SOUND MARK'],
  ['\u4E00', '-', 'CJK UNIFIED IDEOGRAPH-4E00'], ['\u3002', '.', 'IDEOGRAPHIC FULL STOP'], ['\u00B7', '.', 'MIDDLE DOT'],
  ['\u0660', '.', 'ARABIC-INDIC DIGIT ZERO'], ['\u2044', '/', 'FRACTION SLASH'], ['\u2215', '/', 'DIVISION SLASH'],
  ['\u29F8', '/', 'BIG SOLIDUS'], ['\u30CE', '/', 'KATAKANA LETTER NO'], ['\uA789', ':', 'MODIFIER LETTER COLON'],
  ['\u2236', ':', 'RATIO'], ['\u2018', "'", 'LEFT SINGLE QUOTATION MARK'], ['\u2019', "'", 'RIGHT SINGLE QUOTATION MARK'],
];

const confusables: ReadonlyMap<string, Confusable> = new Map(
  ROWS.map(([character, like, name]) => [character, { like, name }]),
);

export function findConfusable(character: string): Confusable | undefined {
  return confusables.get(character);
}

/** The text with every look-alike letter replaced by the ASCII it imitates. */
export function toSkeleton(text: string): string {
  return Array.from(text, (character) => confusables.get(character)?.like ?? character).join('');
}
