module kubeloom.test/external

go 1.25
