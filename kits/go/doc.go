// Package kubeloom starts Kubeloom, a Kubernetes-compatible API server, for a test, and steers it.
//
//	func TestOperator(t *testing.T) {
//		server := kubeloom.Start(t)
//		client := kubernetes.NewForConfigOrDie(server.Config)
//		server.Fault(t, kubeloom.FaultPlanSpec{ ... })
//	}
//
// The server is the program that KUBELOOM names, or kubeloom on the PATH. It ends with the test, and also if the test is killed.
package kubeloom
