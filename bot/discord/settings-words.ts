/** In the words of a language; a description has at most 100 characters. */
export type SettingsWords = {
  description: string;
  settings: Record<SettingName, string>;
  values: { choice: string; text: string; user: string; role: string };
};

export type SettingName =
  | 'show'
  | 'channels'
  | 'min'
  | 'max'
  | 'cooldown'
  | 'ban'
  | 'unban'
  | 'receipts'
  | 'notes'
  | 'lifetime'
  | 'log'
  | 'role'
  | 'quorum';
