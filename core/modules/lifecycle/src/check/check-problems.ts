/** Problems that only a check can find; the documentation of the codes is made from them. */
export const checkProblemKinds = {
  WORKFLOW_INCOMPATIBLE: 'An open workflow of the service cannot continue with this code',
  CHECK_MEMORY_EXCEEDED: 'The code used more memory than a check allows',
  TESTS_FAILED: 'The tests of the package failed, or did not finish in time (`--tests`)',
  CHECK_BROKEN_OFF: 'The check ended before it reached the plugin, or for a reason outside the plugin',
} as const satisfies Record<string, string>;

/** A code of {@link checkProblemKinds}. */
export type CheckProblemCode = keyof typeof checkProblemKinds;
