import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeHold } from '@gantry/core-common';
import type { Commands } from '../support/commands';

export function describeBackup(commands: Commands): void {
  describe('gantry and the backups of a home', () => {
    let home: string;

    beforeEach(() => {
      home = mkdtempSync(join(tmpdir(), 'gantry-cli-backup-'));
    });

    afterEach(() => {
      rmSync(home, { recursive: true, force: true });
    });

    describe('gantry resume', () => {
      it('ends the hold of a home, and says when there is none', async () => {
        writeHold(home, { since: '2026-01-31T00:00:00.000Z', reason: 'a test' });

        const first = await commands.run(['resume', '--home', home]);
        const second = await commands.run(['resume', '--home', home]);

        expect(first.stdout).toContain(`The hold of ${home} has ended`);
        expect(second.stdout).toContain(`${home} is not on hold`);
        expect(existsSync(join(home, 'hold.json'))).toBe(false);
      });
    });

    describe('gantry restore', () => {
      it('moves nothing aside without a confirmation', async () => {
        const { code, stderr } = await commands.run(['restore', 'monday', '--replace', '--home', home]);

        expect(code).toBe(1);
        expect(stderr).toMatch(/^gantry: --replace .*confirmation\.\n {2}.* --yes .+\n$/);
      });
    });

    describe('gantry backup', () => {
      it('of an own PostgreSQL names the way that there is', async () => {
        const environment = { DATABASE_URL: 'postgres://127.0.0.1:1/own' };

        const { code, stderr } = await commands.run(['backup', join(home, 'monday'), '--home', join(home, 'home')], {
          environment,
        });

        expect(code).toBe(1);
        expect(stderr).toMatch(/pg_dump, .*GANTRY_HOME.* docs\/backup-and-restore\.md\.$/m);
        expect(existsSync(join(home, 'monday'))).toBe(false);
      });
    });
  });
}
