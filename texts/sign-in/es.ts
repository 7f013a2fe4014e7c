import type { SignInTexts } from './en.ts';

export const signInEs: SignInTexts = {
  eyebrow: 'Iniciar sesión',
  title: 'Entrar al dinero guardado aquí',
  lead: 'Demuestra de quién es el dinero igual que cuando lo cobraste.',
  whatFor: 'Así ves lo que se guarda aquí. No se mueve nada.',
  confirm: 'Abrir',
  shows:
    'Ves lo que guardamos para ti. Si lo guardaste en otro navegador, aquí solo podrás enviar y retirar tras una espera que indica la página siguiente, y en tus otros sitios se ve que has entrado.',
};
