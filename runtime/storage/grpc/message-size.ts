/** The most bytes of a message from an etcd client. (clientv3 defaultMaxCallSendMsgSize) */
export const maxSentMessage = 2 * 1024 * 1024;

/** The start of errors about messages that are too large to send. (grpc-go) */
export const notSent = 'trying to send message larger than max';

export const messageIsTooLarge = (length: number): string => `${notSent} (${length} vs. ${maxSentMessage})`;
