/** The steps where operators often go wrong. `../bugs` has a wrong version of each. */
export type Steps = typeof import('./index.ts');

export { addMember } from './add-member.ts';
export { claim } from './claim.ts';
export { guardSilence } from './guard-silence.ts';
export { lifetimeLeft } from './lifetime-left.ts';
export { limitTime } from './limit-time.ts';
export { listOptions } from './list-options.ts';
export { remainingMembers } from './remaining-members.ts';
export { resumeFrom } from './resume-from.ts';
export { writeStatus } from './write-status.ts';
