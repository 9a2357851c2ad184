/** The most bytes of a message that a client of etcd sends. (clientv3 defaultMaxCallSendMsgSize) */
export const maxSentMessage = 2 * 1024 * 1024;

/** How errors begin that tell of a message that is not sent. (grpc-go) */
export const notSent = 'trying to send message larger than max';

export const messageIsTooLarge = (length: number): string => `${notSent} (${length} vs. ${maxSentMessage})`;
