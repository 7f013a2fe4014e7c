/** What Discord says beside `/reward`; a description has at most 100 characters. */
export type RewardCommandWords = { description: string; post: string; budget: string; without: string };

export const rewardWordsEn: RewardCommandWords = {
  description: 'For moderators: reward those who engaged with a post on Farcaster',
  post: 'The link to the post',
  budget: 'How much is shared out, in USDC; 5 if left empty',
  without: 'Names on Farcaster that get nothing; alone: leaves them out of the open card',
};

export const rewardWordsDe: RewardCommandWords = {
  description: 'Für die Moderation: alle belohnen, die auf einen Beitrag auf Farcaster reagiert haben',
  post: 'Der Link zum Beitrag',
  budget: 'Wie viel aufgeteilt wird, in USDC; leer: 5',
  without: 'Namen auf Farcaster, die nichts bekommen; allein: lässt sie aus der offenen Karte aus',
};

export const rewardWordsEs: RewardCommandWords = {
  description: 'Para moderadores: recompensar a quienes reaccionaron a una publicación de Farcaster',
  post: 'El enlace a la publicación',
  budget: 'Cuánto se reparte, en USDC; vacío: 5',
  without: 'Nombres de Farcaster que no reciben nada; solo: los saca de la tarjeta abierta',
};

export const rewardWordsPt: RewardCommandWords = {
  description: 'Para a moderação: recompensar quem reagiu a um post no Farcaster',
  post: 'O link do post',
  budget: 'Quanto é repartido, em USDC; vazio: 5',
  without: 'Nomes no Farcaster que não recebem nada; sozinho: tira-os do cartão aberto',
};

export const rewardWordsJa: RewardCommandWords = {
  description: 'モデレーター用: Farcaster の投稿に反応した人にリワードを送る',
  post: '投稿へのリンク',
  budget: '分ける合計 (USDC)。空なら 5',
  without: '受け取らない人の Farcaster 名。これだけなら、今のカードから除きます',
};
