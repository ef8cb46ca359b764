/** Signs of spam, for people. The names are those of `svc-messaging/src/spam`. */
const WORDS: Readonly<Record<string, string | undefined>> = {
  bad_links: 'suspicious links',
  forged_token: 'a forged form',
  gibberish: 'random letters',
  gibberish_name: 'random letters as a name',
  honeypot: 'a field filled in that people can’t see',
  injection: 'an attack on programs',
  link_in_name: 'a link as a name',
  link_in_subject: 'a link as a subject',
  links: 'links',
  many_of_address: 'many messages from this address',
  many_of_network: 'many messages from this network',
  markup: 'HTML',
  mixed_script: 'letters of different scripts in one word',
  no_token: 'a form sent without script',
  old_token: 'a form opened more than a day before',
  only_a_link: 'hardly any text beside a link',
  phrases: 'words of advertising',
  same_fields: 'the same text in several fields',
  same_text: 'the same text as other messages',
  script: 'an unusual script',
  shouting: 'capital letters only',
  throwaway_address: 'a disposable address',
  too_fast: 'a form sent within seconds',
};

/** Returns the signs in words: `links, capital letters only`. Unknown signs have their own name. */
export function signalsText(signals: readonly string[]): string {
  return signals.map((name) => (Object.hasOwn(WORDS, name) && WORDS[name]) || name.replaceAll('_', ' ')).join(', ');
}
