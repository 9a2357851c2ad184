module example.com/scenarios

go 1.26.0

require (
	k8s.io/api v0.36.0
	k8s.io/apimachinery v0.36.0
	k8s.io/client-go v0.36.0
	k8s.io/utils v0.0.0-20260210185600-b8788abfbbc2
	kubeloom.dev/kubeloom v0.0.0
	sigs.k8s.io/controller-runtime v0.24.1
)

replace kubeloom.dev/kubeloom => ./kubeloom
