import {
  pluginChangeActions,
  pluginChangePhases,
  pluginCheckParts,
  type GenerationsReport,
  type PluginCheckReport,
} from '@gantry/contracts';
import { z } from 'zod';
import { instant } from '@gantry/core-common';
import { installedPackage } from '@gantry/core-loader';
import type { PluginChangeAnswer } from './plugin-change-answer';

const reason = z.object({ code: z.string(), message: z.string(), remedy: z.string() });
const effects = z.enum(['at-once', 'next-start']);
const outcome = z.enum(['ok', 'warning', 'problem']);

/** The report of the check of a plugin. */
export const checkReport = z
  .object({
    plugin: z.string(),
    displayName: z.string(),
    version: z.string(),
    contentHash: z.string().exactOptional(),
    outcome,
    lines: z.array(
      z.object({
        part: z.enum(pluginCheckParts),
        rule: z.string().meta({ examples: ['package/size'] }),
        outcome,
        code: z.string().exactOptional(),
        message: z.string(),
        remedy: z.string().exactOptional(),
        details: z.array(z.string()).exactOptional(),
      }),
    ),
    duration: z.number().describe('Milliseconds.'),
  })
  .meta({ id: 'PluginCheckReport', description: 'The findings of the check.' }) satisfies z.ZodType<PluginCheckReport>;

const pluginPackage = z
  .object({
    plugin: z.string(),
    displayName: z.string(),
    installed: installedPackage,
    replaces: z.string().exactOptional().describe('Version of the plugin that the package replaces.'),
  })
  .meta({ id: 'PluginPackage' });

const pluginChange = z
  .object({
    id: z.string(),
    action: z.enum(pluginChangeActions),
    plugins: z.array(z.string()),
    phase: z.enum(pluginChangePhases),
    step: z.string().exactOptional(),
    requestedAt: instant,
    since: instant,
    durations: z
      .partialRecord(z.enum(pluginChangePhases), z.int().min(0))
      .exactOptional()
      .describe('Duration of each completed phase, in milliseconds.'),
    follows: z
      .int()
      .exactOptional()
      .describe('Generation of the plugin set that another host has stored and this host follows.'),
    error: reason.exactOptional(),
  })
  .meta({ id: 'PluginChange' });

/** The result of a request to change plugins. */
export const changeAnswer = z
  .object({
    takesEffect: effects,
    change: pluginChange.nullable(),
    report: checkReport.exactOptional(),
    package: pluginPackage.exactOptional(),
  })
  .meta({ id: 'PluginChangeAnswer' }) satisfies z.ZodType<PluginChangeAnswer>;

/** The latest changes. */
export const generationsReport = z
  .object({
    changesTakeEffect: effects,
    generation: z.int().min(1),
    changes: z.array(pluginChange),
    takesPackages: z.boolean().exactOptional().describe('True if administrators can install packages with requests.'),
    pluginSet: z
      .object({
        generation: z.int().describe('Generation of the stored plugin set that this host runs.'),
        behind: z.object({ generation: z.int(), error: reason.exactOptional() }).exactOptional(),
      })
      .exactOptional(),
  })
  .meta({ id: 'GenerationsReport', description: 'The latest changes.' }) satisfies z.ZodType<GenerationsReport>;
