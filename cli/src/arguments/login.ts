import { command } from './command';
import { word } from './options';

const address = { type: 'string', demandOption: true, describe: 'such as https://cms.example.com' } as const;
const login = () => import('../commands/accounts/login.js');

/** `gantry login <address>` */
export const loginCommand = command({
  command: 'login <address>',
  describe: 'Store an API token for a platform on another machine, for commands with --url',
  builder: (parser) =>
    parser
      .positional('address', address)
      .option(
        'token-file',
        word('file with the token, or - for standard input; without it, the command asks for the token'),
      )
      .example('gantry login https://cms.example.com', '')
      .example('gantry items export product --url https://cms.example.com', ''),
  run: async (context, { address: given, tokenFile }) => (await login()).logIn(context, given, tokenFile),
});

/** `gantry logout <address>` */
export const logoutCommand = command({
  command: 'logout <address>',
  describe: 'Remove the stored API token of a platform; it stays valid until it is revoked',
  builder: (parser) => parser.positional('address', address),
  run: async (context, { address: given }) => (await login()).logOut(context, given),
});
