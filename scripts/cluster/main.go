// One binary for all that a test cluster consists of: the first argument says which part to be.
// Built together they share most of their code, which spares half an hour of compiling.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var parts = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllers.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubelet":                 func() *cobra.Command { return kubelet.NewKubeletCommand() },
}

func main() {
	part := ""
	if len(os.Args) > 1 {
		part = os.Args[1]
		os.Args = os.Args[1:]
	}
	switch part {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kubectl":
		kubectlutil.CheckErr(cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()))
	default:
		command, known := parts[part]
		if !known {
			fmt.Fprintln(os.Stderr, "usage: kube etcd|kubectl|kubelet|kube-apiserver|kube-controller-manager|kube-scheduler …")
			os.Exit(2)
		}
		os.Exit(cli.Run(command()))
	}
}
