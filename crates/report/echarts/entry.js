// The parts of Apache ECharts that charts of reports use. The whole library is twice as large, and every report carries it.
import { init, use } from 'echarts/core';
import { BarChart, CustomChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts';
import { AriaComponent, AxisPointerComponent, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TitleComponent, TooltipComponent, VisualMapContinuousComponent } from 'echarts/components';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';

use([BarChart, CustomChart, HeatmapChart, LineChart, ScatterChart]);
use([AriaComponent, AxisPointerComponent, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TitleComponent, TooltipComponent, VisualMapContinuousComponent]);
use([LabelLayout, CanvasRenderer, SVGRenderer]);
export { init };
