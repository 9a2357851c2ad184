/** A value in etcd from Kubernetes' own server, encrypted with one of the providers. */
export interface GoValue {
  readonly key: string;
  readonly uid: string;
  /** The value in base64. */
  readonly value: string;
}

/** The keys in the configuration of the writing server. */
export const goKeys = {
  g1: Buffer.alloc(16, 'h').toString('base64'),
  c1: Buffer.alloc(32, 'k').toString('base64'),
  s1: Buffer.alloc(32, 'k').toString('base64'),
};

/** The seed in base64, which the key management service `vault` had encrypted. */
export const goSeed = 'KlQnPDio+MeQ4AOVf+TUR+KJjzUR44XwWYWWRB452BY=';

const prefix = '/registry/apiextensions.kubernetes.io/enc.test';

export const aesgcmValue: GoValue = {
  key: `${prefix}/gcms/n/a`,
  uid: '15aac6d4-1e12-4059-b2bd-d6b6d6bec31c',
  value: [
    'azhzOmVuYzphZXNnY206djE6ZzE6mUX1uBa5ZfmGne8iXX1JGBvWts5tl5Y+JtJGqFVJazr+U6TRTEfNmetrjareSRgMG9n2A8y3',
    '7S7tEAOurngDxaKPp/h+WOFbV8ck8mKEVshYdwqZhgAjV8n8aeoqXzsemsi8+NkVJ7pHyATW/oH10idVMew2oM9PJrv4IW4AmZpb',
    'b5jhDY2PPbOEhMRRINkpTpeQAsaPRrmO3UHB/sxsSbV56lmOdTrBUMPvmxDG4slL1aFjP9otE/wBYXkLt76YN1zA/evZK51llQyh',
    '+ChxlV/lLbrUrE+FrAc/oOPkOgCQMTohbT8QCGrBqtRixMxLB2DFKh5IYRYIBmHL01LBEz2hW0wpj0/+3/97WDdHsr9D5HPrPx+c',
    '1BMd88YzihN8V4HsHOYF+59ekV7ZGuu/86KyCzkiyEQopu9v3dJuHX49/lx70le0wZgjFf2wUBhZ7kNqENTqhKsj0X+O7sxcNr67',
    'wk97Tll+NYby66iUx6vQFRiLCW/D9jeSiBXADgXA7wXKbW3TAPdt',
  ].join(''),
};

export const aescbcValue: GoValue = {
  key: `${prefix}/cbcs/n/a`,
  uid: '89f9e02a-cffd-446a-87c1-3e8f59296653',
  value: [
    'azhzOmVuYzphZXNjYmM6djE6YzE65cx5IsI9E+S61EYu8JJESqWF6+T1lo2U12X/OS3IgRLLolxBxivzXgTbvnab5l8+FXdLlRRz',
    '9CwVp5V0PyX30P6eO02ni/gdm500/DdWbtg/xuM28Psd0lrN8lB2B9uwml5Uf0Ubnznd2uBFXLEmaNUZ7jRUygIByT1nPFSJFEOq',
    'urwY6k1X1LRxcwX6xj5ZsEW3Tl/Ege34VNfuLHSGJVWinioMiCa/DSQ6naYR1im2pRJ7nAqJlZ8I5SVuSiojBsZlqorog6B0X5ER',
    'UQfBE0MiR79sL5bOkMzBDBsZGHkEJJhft34EQbxMnRUSSeYkHe3IYZGdK5ccyLSSjIkBXgN6s4OuE+k8oEgv7zlXILtvMlkExrFU',
    '3u4no7aHadpdZJ/WLntBjzZ1j3lVkAS112KKoL5/W/6RXB7D8tXaduIH8UQksYJp1h8+BRG2+8aG8Lvma59sOKMo9mEDayNPM3rt',
    'qk7gR3uVOiVygPt4W7V2jmVPN4NGi7rcYZNk+0fX',
  ].join(''),
};

export const secretboxValue: GoValue = {
  key: `${prefix}/boxes/n/a`,
  uid: '3b70b852-d545-4162-842a-eaa7ba36a532',
  value: [
    'azhzOmVuYzpzZWNyZXRib3g6djE6czE6yovnjuJQXveyz+eOtR050IaPxCO6w2fPFGpJea3pLTlhJt6JYDumM5OIh6vPcePxPMuD',
    'bzObkjEBmbf7Sh5hvcO+zEXF5ckc6vJ1ujbGoYdHptYP4IJ0KovVU2o6ZQ7N3sISGkuvjKZ5/HhlavatBNySEoZuaQHu8n2d+Uyj',
    'jWyDwCUtqRfIwetx5jVk/q0fyTgaCyLZScZn8kfYL8r86gVdJoSXp1Dzfdeh345Js49aTNUNkJQIyrIB1SASoU/lBf2GfopRBvsn',
    'qBdug8gzbnnPwEeHx+ZTE8qEpPhBUDRjO55aRBI8zZcO8aZciD7LQ+b0UAoiOLo7fZfx99+glWj/S38WZMly6W0uTBzHRQJ2J4Ib',
    '7YV3vzCxiO7uFjEC4NNQPVq44Am2QB3MIOeNkxARdIc1qW/2YipWlZdQX9XVmhNpX+0UAuQ63/uGVJMhIOHDkFOFEgNEdK5pfTmr',
    's2VH7V4G4xFeb+/vRfxNisDr7QEr/RbsM4/4iLF8GUCgayFt34MA35fd6Tj8/0tr39mRy60l',
  ].join(''),
};

export const kmsValue: GoValue = {
  key: `${prefix}/kmses/n/a`,
  uid: 'd06b9420-b100-40ba-9979-dcfbf55a5520',
  value: [
    'azhzOmVuYzprbXM6djI6dmF1bHQ6CqkDrZeiNny2lQ3vXQQc2L1gpAM122JsmFIpMOJI7os07l95aFUKwEaB7vUbR8zFsJcjQY3K',
    'for6ID+UOemcRDvkwMjP62xHm8Mn4Zs4bYMx/s94GonE0WuTY3Xa3wRQZEedd/lg+mECnk8rs/qWvjI1gZlamWBgntQFKp3RxLyP',
    'Tgi7cud4ZYTc5lOjG1HHZND4X6RuOnUX5WiYx98VkC6a63eLvK1K8arbVEPYWOtU6qezwP03fXjuyXgZ9AzkyE9g7EA2dOgGfUM9',
    '30mbIqKbXwTIgFgSnThayGX9o7W8T5bM1u8TutfmtH14OHJW6mL9vrDvHk4n58JUZ1N0WEkQXXedv+aQrckY/0EpkyA+ncMp1+lr',
    'slNlorU0eHBX38qEUohnzLuIla3k5oUrfbS4eFFhsg6nTTGN9sNNcE0/ibTeI5tQKfBvwBiQeHs9nfYPV5qBufToNneL0jBb1rNJ',
    '9ZMDIqF1wTSLoe3wTViChfvadj7SXGRvIoBzg3eK8D9Th+FptLCDnPeFLo/N1JIa1N2CRZNcawH+ARY+9vIqCb/flC0OojbEz1oS',
    'BWtleS0xGjDKXFFirO9y8UjZLSxgCnZRL6pN6ySAZyLZRsWuwrs0WOT5qJlbHifKiaL+Rqv2FSMiFQoMa2V5Lmttcy50ZXN0EgVr',
    'ZXktMSgB',
  ].join(''),
};
