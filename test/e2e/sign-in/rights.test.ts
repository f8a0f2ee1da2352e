import { contentPlugins } from '../../support/platform';
import { testCallersOfPlugins } from './rights/callers-of-plugins';
import { testDocuments } from './rights/documents';
import { testImages } from './rights/images';
import { testLastingRights } from './rights/lasting-rights';
import { testOwnItems } from './rights/own-items';
import { testPresence } from './rights/presence';
import { testPublicRole } from './rights/public-role';
import { testRoles } from './rights/roles';
import { useSignedInHost } from './support/signed-in-host';

const fixtures = ['test/e2e/sign-in/fixtures/desk', 'test/e2e/sign-in/fixtures/undeclared-scope'];
const media = ['plugins/media', 'plugins/media/test/fixtures/scans'];
const { host, administrator } = useSignedInHost({ plugins: [...contentPlugins, ...media, ...fixtures] });

describe('roles', () => testRoles(host, administrator));
describe('a role that is about the items that its users have created', () => testOwnItems(host, administrator));
describe('requests without a credential', () => testPublicRole(host, administrator));
describe('images', () => testImages(host, administrator));
describe('items that a route of a plugin uses', () => testCallersOfPlugins(host, administrator));
describe('the OpenAPI document of a caller', () => testDocuments(host, administrator));
describe('a proof of presence', () => testPresence(host, administrator));
describe('what lasts longer than a request', () => testLastingRights(host, administrator));
