/** The API group with which tests control a server. */
export const testGroupName = 'testing.kubeloom.dev';
