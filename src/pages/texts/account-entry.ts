import { textTable } from './texts.ts'

/** Signing in and up, confirming the address, and setting a new password by mail. */
export const ENTRY_TEXTS = textTable(
  {
    email: 'Adresa de e-mail',
    password: 'Parola',
    newPassword: 'Parola nouă',
    passwordHint: 'Cel puțin 10 caractere. Câteva cuvinte fără legătură între ele fac o parolă bună.',
    fullName: 'Numele',
    organization: 'Instituția',

    login: 'Autentificare',
    loginDescription: 'Intrați în contul dumneavoastră pentru cheile API și utilizarea lor.',
    loginButton: 'Intră în cont',
    forgotLink: 'Ați uitat parola?',
    noAccount: 'Nu aveți cont?',
    signupLink: 'Creați unul',

    signup: 'Cont nou',
    signupDescription: 'Un cont gratuit cu chei API pentru toate seturile de date.',
    signupButton: 'Creează contul',
    haveAccount: 'Aveți deja cont?',
    loginLink: 'Autentificați-vă',
    benefits: 'Cu un cont',
    benefitKeys: 'aveți chei API pentru toate seturile de date, pe care le schimbați și le revocați oricând;',
    benefitUsage: 'vedeți cât ați folosit, pe zile și pe chei, și fiecare cerere cu timpul ei;',
    benefitData: 'descărcați sau ștergeți oricând tot ce se păstrează despre dumneavoastră.',
    noCookies: 'Singurul cookie este cel al sesiunii. Catalogul se poate folosi și fără cont.',

    forgot: 'Parolă nouă',
    forgotLead: 'Scrieți adresa contului. Vă trimitem o legătură cu care alegeți o parolă nouă.',
    forgotButton: 'Trimite legătura',
    forgotDone: 'Verificați căsuța de e-mail',
    forgotDoneText: (email: string) =>
      `Dacă există un cont cu adresa ${email}, un mesaj cu o legătură este pe drum. Legătura funcționează o singură dată, timp de 30 de minute.`,
    backToLogin: 'Înapoi la autentificare',

    reset: 'Alegeți o parolă nouă',
    resetLead:
      'După aceea vă autentificați cu ea. Toate browserele vor fi deconectate; cheile API rămân valabile.',
    resetButton: 'Salvează parola',

    verify: 'Confirmarea adresei',
    verifyLead: 'Confirmați că adresa la care ați primit mesajul vă aparține.',
    verifyButton: 'Confirmă adresa',
    verified: 'Adresa este confirmată. Mulțumim!',
    toAccount: 'Mergi la cont',

    linkBroken: 'Legătura nu este întreagă',
    linkBrokenText: 'Deschideți din nou legătura din mesaj sau copiați-o întreagă în bara de adrese.',
    anotherReset: 'Cere o altă legătură',
    anotherVerify: 'O altă legătură se cere din pagina Profil, după autentificare.',

    noteDeleted: 'Contul a fost șters, cu tot ce se păstra despre dumneavoastră.',
    noteReset: 'Parola nouă este salvată. Autentificați-vă cu ea.',
    noteEnded: 'Sesiunea s-a încheiat. Autentificați-vă din nou.',
    noteGone: 'Ați ieșit din cont.',
  },
  {
    email: 'E-mail address',
    password: 'Password',
    newPassword: 'New password',
    passwordHint: 'At least 10 characters. Several unrelated words make a good password.',
    fullName: 'Your name',
    organization: 'Organization',

    login: 'Sign in',
    loginDescription: 'Sign in to your account for your API keys and their usage.',
    loginButton: 'Sign in',
    forgotLink: 'Forgot your password?',
    noAccount: 'No account yet?',
    signupLink: 'Create one',

    signup: 'New account',
    signupDescription: 'A free account with API keys for every dataset.',
    signupButton: 'Create the account',
    haveAccount: 'You have an account already?',
    loginLink: 'Sign in',
    benefits: 'With an account',
    benefitKeys: 'you have API keys for every dataset, to replace and revoke at any time;',
    benefitUsage: 'you see what you used, by day and by key, and every request with its time;',
    benefitData: 'you download or delete everything that is kept about you, at any time.',
    noCookies: 'The session’s cookie is the only one. The catalog can be used without an account.',

    forgot: 'New password',
    forgotLead: 'Write the address of your account. We send you a link with which you choose a new password.',
    forgotButton: 'Send the link',
    forgotDone: 'Look into your mailbox',
    forgotDoneText: (email: string) =>
      `If there is an account with the address ${email}, a mail with a link is on its way. The link works once, for 30 minutes.`,
    backToLogin: 'Back to signing in',

    reset: 'Choose a new password',
    resetLead: 'After that you sign in with it. Every browser will be signed out; API keys keep working.',
    resetButton: 'Save the password',

    verify: 'Confirm your address',
    verifyLead: 'Confirm that the address to which the mail came is yours.',
    verifyButton: 'Confirm the address',
    verified: 'The address is confirmed. Thank you!',
    toAccount: 'Go to your account',

    linkBroken: 'The link is not whole',
    linkBrokenText: 'Open the link in the mail again, or copy all of it into the address bar.',
    anotherReset: 'Ask for another link',
    anotherVerify: 'Another link can be asked for on the page Profile, after signing in.',

    noteDeleted: 'Your account is deleted, with everything that was kept about you.',
    noteReset: 'The new password is saved. Sign in with it.',
    noteEnded: 'Your session has ended. Sign in again.',
    noteGone: 'You are signed out.',
  },
)
